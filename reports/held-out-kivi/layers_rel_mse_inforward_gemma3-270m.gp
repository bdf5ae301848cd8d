# gemma-3-270m-q4_k_m, held-out: rel-MSE of each layer (in-forward)
# Redraw in this folder: gnuplot layers_rel_mse_inforward_gemma3-270m.gp
data = 'layers_rel_mse_inforward_gemma3-270m.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1000,854 enhanced font 'Arial,14' background rgb 'white'
  }
  if (format eq 'png') {
    set terminal pngcairo size 2000,1708 enhanced font 'DejaVu Sans,14' fontscale 1.5 \
      linewidth 2 background rgb 'white'
  }
  set output 'layers_rel_mse_inforward_gemma3-270m.'.format
  set multiplot
  unset label
  set label 1 '{/:Bold gemma-3-270m-q4\_k\_m, held-out: rel-MSE of each layer (in-forward)}' at screen 0.5,0.97892 center font ',17'
  set label 2 'mean over 14 passages; dark: more is lost; grey: not coded' at screen 0.5,0.95316 center font ',12' tc rgb '#444444' noenhanced
  set lmargin at screen 0.48320; set rmargin at screen 0.88000
  set palette defined (0 '#ffffff', 0.25 '#fdd49e', 0.5 '#f1605d', 0.75 '#9e2f7f', 1 '#2d1160')
  set cbrange [-40:-0]
  set cblabel 'rel-MSE, dB' noenhanced
  set xrange [-0.5:17.5]
  set yrange [16.5:-0.5]
  set xtics 0,2 out nomirror
  set ytics ('K q4_0:rotate=256, V q4_0:rotate=64' 0, 'ece8:bits=2.5,center=mean,page=128' 1, 'ece8:bits=3.5,center=mean,page=128' 2, 'ece8:bits=4.5,center=mean,page=128' 3, 'kivi:b=2' 4, 'kivi:b=3' 5, 'kivi:b=4' 6, 'klt:bits=1.8,lattice=tcq,page=128' 7, 'klt:bits=2.85,lattice=tcq,page=128' 8, 'klt:bits=4.5,lattice=tcq,page=128' 9, 'klt:bits=1,lattice=tcq,scope=layer,restart=1,page=128' 10, 'klt:bits=2.1,lattice=tcq,scope=layer,restart=1,page=128' 11, 'klt:bits=4,lattice=tcq,scope=layer,restart=1,page=128' 12, 'q4_0:rotate=64' 13, 'turboquant:b=2' 14, 'turboquant:b=3' 15, 'turboquant:b=5' 16) out nomirror noenhanced
  set border 15 lc rgb '#444444' lw 0.6
  set tics textcolor rgb '#222222'
  unset key
  set ylabel '' noenhanced
  set tmargin at screen 0.91101; set bmargin at screen 0.51288
  set title 'keys' noenhanced offset 0,-0.6
  set format x ''
  unset object
  plot data index 0 matrix with image pixels notitle
  set tmargin at screen 0.47073; set bmargin at screen 0.07260
  set title 'values' noenhanced offset 0,-0.6
  unset label
  set format x '%g'
  set xlabel 'layer' noenhanced
  unset object
  plot data index 1 matrix with image pixels notitle
  unset multiplot
  unset output
  unset xlabel
}
