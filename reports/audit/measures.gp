# How far K and V are from Gaussian noise, by layer
# Redraw in this folder: gnuplot measures.gp
data = 'measures.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1000,694 enhanced font 'Arial,14' background rgb 'white'
  }
  if (format eq 'png') {
    set terminal pngcairo size 2000,1388 enhanced font 'DejaVu Sans,14' fontscale 1.5 \
      linewidth 2 background rgb 'white'
  }
  set output 'measures.'.format
  set multiplot
  unset label
  set label 1 '{/:Bold How far K and V are from Gaussian noise, by layer}' at screen 0.5,0.97406 center font ',17'
  set label 2 'SmolLM2-135M-Instruct.Q4_1, wiki.test.raw, 3 passages of 2048 tokens, 3 KV heads of 64, K pre-rope' at screen 0.5,0.94236 center font ',12' tc rgb '#444444' noenhanced
  set lmargin at screen 0.24800; set rmargin at screen 0.88000
  set palette defined (0 '#ffffff', 0.25 '#fdd49e', 0.5 '#f1605d', 0.75 '#9e2f7f', 1 '#2d1160')
  set cbrange [0:4]
  set cblabel 'log10 of value / 95 % point of noise' noenhanced
  set xrange [-0.5:29.5]
  set yrange [12.5:-0.5]
  set xtics 0,2 out nomirror
  set ytics ('study kurtosis' 0, 'study W2/σ' 1, 'study variance ratio' 2, 'stage kurtosis' 3, 'stage isotropic ratio' 4, 'stage Hadamard ratio' 5, 'stage W2/σ' 6, '|excess kurtosis - noise|' 7, 'W2/σ' 8, 'W2/σ, shape' 9, '|direct current - noise|' 10, 'channel mean' 11, 'outlier ratio' 12) out nomirror noenhanced
  set border 15 lc rgb '#444444' lw 0.6
  set tics textcolor rgb '#222222'
  unset key
  set ylabel '' noenhanced
  set tmargin at screen 0.89049; set bmargin at screen 0.51585
  set title 'K: white is no more than noise gives' noenhanced offset 0,-0.6
  set format x ''
  unset object
  plot data index 0 matrix with image pixels notitle
  set tmargin at screen 0.46398; set bmargin at screen 0.08934
  set title 'V: white is no more than noise gives' noenhanced offset 0,-0.6
  unset label
  set format x '%g'
  set xlabel 'layer' noenhanced
  unset object
  plot data index 1 matrix with image pixels notitle
  unset multiplot
  unset output
  unset xlabel
}
