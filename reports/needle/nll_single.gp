# single: nats a token of the answer, less those over bf16
# Redraw in this folder: gnuplot nll_single.gp
data = 'nll_single.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1000,726 enhanced font 'Arial,14' background rgb 'white'
  }
  if (format eq 'png') {
    set terminal pngcairo size 2000,1452 enhanced font 'DejaVu Sans,14' fontscale 1.5 \
      linewidth 2 background rgb 'white'
  }
  set output 'nll_single.'.format
  set multiplot
  unset label
  set label 1 '{/:Bold single: nats a token of the answer, less those over bf16}' at screen 0.5,0.97521 center font ',17'
  set label 2 'red: the answer is less likely than over the bf16 cache; blue: likelier; grey: not solved, never full or not measured' at screen 0.5,0.94490 center font ',12' tc rgb '#444444' noenhanced
  set lmargin at screen 0.07552; set rmargin at screen 0.88000
  set palette defined (0 '#2166ac', 0.25 '#92c5de', 0.5 '#f7f7f7', 0.75 '#f4a582', 1 '#b2182b')
  set cbrange [-0.1:0.1]
  set cblabel '' noenhanced
  set xrange [-0.5:1.5]
  set yrange [2.5:-0.5]
  set xtics 0,1 out nomirror
  set ytics ('0' 0, '50' 1, '100' 2) out nomirror noenhanced
  set border 15 lc rgb '#444444' lw 0.6
  set tics textcolor rgb '#222222'
  unset key
  set ylabel 'depth, %' noenhanced
  set tmargin at screen 0.89532; set bmargin at screen 0.73003
  set title 'e8:q=10' noenhanced offset 0,-0.6
  set format x ''
  set xtics ('' 0, '' 1) out nomirror noenhanced
  unset object
  plot data index 0 matrix with image pixels notitle
  set tmargin at screen 0.68044; set bmargin at screen 0.51515
  set title 'kivi:b=4' noenhanced offset 0,-0.6
  unset label
  set format x ''
  set xtics ('' 0, '' 1) out nomirror noenhanced
  unset object
  plot data index 1 matrix with image pixels notitle
  set tmargin at screen 0.46556; set bmargin at screen 0.30028
  set title 'q4_0:rotate=64' noenhanced offset 0,-0.6
  set format x ''
  set xtics ('' 0, '' 1) out nomirror noenhanced
  unset object
  plot data index 2 matrix with image pixels notitle
  set tmargin at screen 0.25069; set bmargin at screen 0.08540
  set title 'klt:bits=3,page=64,profile=6870f1e6b26a24c0' noenhanced offset 0,-0.6
  set format x '%g'
  set xtics ('512' 0, '1024' 1) out nomirror noenhanced
  set xlabel 'tokens of the prompt' noenhanced
  unset object
  plot data index 3 matrix with image pixels notitle
  unset multiplot
  unset output
  unset xlabel
}
