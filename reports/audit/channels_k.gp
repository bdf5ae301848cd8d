# Root mean square of every channel of K, by layer
# Redraw in this folder: gnuplot channels_k.gp
data = 'channels_k.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1000,408 enhanced font 'Arial,14' background rgb 'white'
  }
  if (format eq 'png') {
    set terminal pngcairo size 2000,816 enhanced font 'DejaVu Sans,14' fontscale 1.5 \
      linewidth 2 background rgb 'white'
  }
  set output 'channels_k.'.format
  set multiplot
  unset label
  set label 1 '{/:Bold Root mean square of every channel of K, by layer}' at screen 0.5,0.95588 center font ',17'
  set label 2 'SmolLM2-135M-Instruct.Q4_1, wiki.test.raw, 3 passages of 2048 tokens, 3 KV heads of 64, K pre-rope' at screen 0.5,0.90196 center font ',12' tc rgb '#444444' noenhanced
  set lmargin at screen 0.07552; set rmargin at screen 0.88000
  set palette defined (0 '#2166ac', 0.25 '#92c5de', 0.5 '#f7f7f7', 0.75 '#f4a582', 1 '#b2182b')
  set cbrange [-24:24]
  set cblabel 'dB over the head''s median' noenhanced
  set xrange [-0.5:191.5]
  set yrange [29.5:-0.5]
  set xtics 0,32 out nomirror
  set ytics ('0' 0, '5' 5, '10' 10, '15' 15, '20' 20, '25' 25) out nomirror noenhanced
  set border 15 lc rgb '#444444' lw 0.6
  set tics textcolor rgb '#222222'
  unset key
  set ylabel 'layer' noenhanced
  set tmargin at screen 0.81373; set bmargin at screen 0.15196
  set title '' noenhanced offset 0,-0.6
  set format x '%g'
  set xlabel 'channel: head x 64 + coordinate' noenhanced
  unset object
  plot data index 0 matrix with image pixels notitle
  unset multiplot
  unset output
  unset xlabel
}
