# multi-value: share of answers given
# Redraw in this folder: gnuplot substring_multi-value.gp
data = 'substring_multi-value.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1000,882 enhanced font 'Arial,14' background rgb 'white'
  }
  if (format eq 'png') {
    set terminal pngcairo size 2000,1764 enhanced font 'DejaVu Sans,14' fontscale 1.5 \
      linewidth 2 background rgb 'white'
  }
  set output 'substring_multi-value.'.format
  set multiplot
  unset label
  set label 1 '{/:Bold multi-value: share of answers given}' at screen 0.5,0.97959 center font ',17'
  set label 2 'the published substring rule; dark: all of them; grey: not solved, never full or not measured' at screen 0.5,0.95465 center font ',12' tc rgb '#444444' noenhanced
  set lmargin at screen 0.07552; set rmargin at screen 0.88000
  set palette defined (0 '#ffffff', 0.25 '#fdd49e', 0.5 '#f1605d', 0.75 '#9e2f7f', 1 '#2d1160')
  set cbrange [0:1]
  set cblabel '' noenhanced
  set xrange [-0.5:1.5]
  set yrange [2.5:-0.5]
  set xtics 0,1 out nomirror
  set ytics ('0' 0, '50' 1, '100' 2) out nomirror noenhanced
  set border 15 lc rgb '#444444' lw 0.6
  set tics textcolor rgb '#222222'
  unset key
  set ylabel 'depth, %' noenhanced
  set tmargin at screen 0.91383; set bmargin at screen 0.77778
  set title 'identity' noenhanced offset 0,-0.6
  set format x ''
  set xtics ('' 0, '' 1) out nomirror noenhanced
  unset object
  set object rectangle from first 0.5,-0.5 to first 1.5,0.5 front fc rgb '#bbbbbb' fs solid noborder
  set object rectangle from first 0.5,0.5 to first 1.5,1.5 front fc rgb '#bbbbbb' fs solid noborder
  set object rectangle from first 0.5,1.5 to first 1.5,2.5 front fc rgb '#bbbbbb' fs solid noborder
  plot data index 0 matrix with image pixels notitle
  set tmargin at screen 0.73696; set bmargin at screen 0.60091
  set title 'e8:q=10' noenhanced offset 0,-0.6
  unset label
  set format x ''
  set xtics ('' 0, '' 1) out nomirror noenhanced
  unset object
  set object rectangle from first 0.5,-0.5 to first 1.5,0.5 front fc rgb '#bbbbbb' fs solid noborder
  set object rectangle from first 0.5,0.5 to first 1.5,1.5 front fc rgb '#bbbbbb' fs solid noborder
  set object rectangle from first 0.5,1.5 to first 1.5,2.5 front fc rgb '#bbbbbb' fs solid noborder
  plot data index 1 matrix with image pixels notitle
  set tmargin at screen 0.56009; set bmargin at screen 0.42404
  set title 'kivi:b=4' noenhanced offset 0,-0.6
  set format x ''
  set xtics ('' 0, '' 1) out nomirror noenhanced
  unset object
  set object rectangle from first 0.5,-0.5 to first 1.5,0.5 front fc rgb '#bbbbbb' fs solid noborder
  set object rectangle from first 0.5,0.5 to first 1.5,1.5 front fc rgb '#bbbbbb' fs solid noborder
  set object rectangle from first 0.5,1.5 to first 1.5,2.5 front fc rgb '#bbbbbb' fs solid noborder
  plot data index 2 matrix with image pixels notitle
  set tmargin at screen 0.38322; set bmargin at screen 0.24717
  set title 'q4_0:rotate=64' noenhanced offset 0,-0.6
  set format x ''
  set xtics ('' 0, '' 1) out nomirror noenhanced
  unset object
  set object rectangle from first 0.5,-0.5 to first 1.5,0.5 front fc rgb '#bbbbbb' fs solid noborder
  set object rectangle from first 0.5,0.5 to first 1.5,1.5 front fc rgb '#bbbbbb' fs solid noborder
  set object rectangle from first 0.5,1.5 to first 1.5,2.5 front fc rgb '#bbbbbb' fs solid noborder
  plot data index 3 matrix with image pixels notitle
  set tmargin at screen 0.20635; set bmargin at screen 0.07029
  set title 'klt:bits=3,page=64,profile=6870f1e6b26a24c0' noenhanced offset 0,-0.6
  set format x '%g'
  set xtics ('512' 0, '1024' 1) out nomirror noenhanced
  set xlabel 'tokens of the prompt' noenhanced
  unset object
  set object rectangle from first 0.5,-0.5 to first 1.5,0.5 front fc rgb '#bbbbbb' fs solid noborder
  set object rectangle from first 0.5,0.5 to first 1.5,1.5 front fc rgb '#bbbbbb' fs solid noborder
  set object rectangle from first 0.5,1.5 to first 1.5,2.5 front fc rgb '#bbbbbb' fs solid noborder
  plot data index 4 matrix with image pixels notitle
  unset multiplot
  unset output
  unset xlabel
}
