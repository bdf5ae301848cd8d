# multi-key: share of answers given
# Redraw in this folder: gnuplot substring_multi-key.gp
data = 'substring_multi-key.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1000,258 enhanced font 'Arial,14' background rgb 'white'
  }
  if (format eq 'png') {
    set terminal pngcairo size 2000,516 enhanced font 'DejaVu Sans,14' fontscale 1.5 \
      linewidth 2 background rgb 'white'
  }
  set output 'substring_multi-key.'.format
  set multiplot
  unset label
  set label 1 '{/:Bold multi-key: share of answers given}' at screen 0.5,0.93023 center font ',17'
  set label 2 'the published substring rule; dark: all of them; grey: not solved, never full or not measured' at screen 0.5,0.84496 center font ',12' tc rgb '#444444' noenhanced
  set lmargin at screen 0.07552; set rmargin at screen 0.88000
  set palette defined (0 '#ffffff', 0.25 '#fdd49e', 0.5 '#f1605d', 0.75 '#9e2f7f', 1 '#2d1160')
  set cbrange [0:1]
  set cblabel '' noenhanced
  set xrange [-0.5:0.5]
  set yrange [2.5:-0.5]
  set xtics 0,1 out nomirror
  set ytics ('0' 0, '50' 1, '100' 2) out nomirror noenhanced
  set border 15 lc rgb '#444444' lw 0.6
  set tics textcolor rgb '#222222'
  unset key
  set ylabel 'depth, %' noenhanced
  set tmargin at screen 0.70543; set bmargin at screen 0.24031
  set title 'identity' noenhanced offset 0,-0.6
  set format x '%g'
  set xtics ('2048' 0) out nomirror noenhanced
  set xlabel 'tokens of the prompt' noenhanced
  unset object
  plot data index 0 matrix using 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with boxxyerror fs solid noborder lc palette notitle
  unset multiplot
  unset output
  unset xlabel
}
