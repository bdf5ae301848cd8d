# gemma-3-270m-q4_k_m, held-out: rel-MSE of each layer (in-forward)
# Redraw in this folder: gnuplot layers_rel_mse_inforward_gemma3-270m.gp
data = 'layers_rel_mse_inforward_gemma3-270m.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1000,974 enhanced font 'Arial,14' background rgb 'white'
  }
  if (format eq 'png') {
    set terminal pngcairo size 2000,1948 enhanced font 'DejaVu Sans,14' fontscale 1.5 \
      linewidth 2 background rgb 'white'
  }
  set output 'layers_rel_mse_inforward_gemma3-270m.'.format
  set multiplot
  unset label
  set label 1 '{/:Bold gemma-3-270m-q4\_k\_m, held-out: rel-MSE of each layer (in-forward)}' at screen 0.5,0.98152 center font ',17'
  set label 2 'mean over 14 passages; dark: more is lost; grey: not coded' at screen 0.5,0.95893 center font ',12' tc rgb '#444444' noenhanced
  set lmargin at screen 0.67920; set rmargin at screen 0.88000
  set palette defined (0 '#ffffff', 0.25 '#fdd49e', 0.5 '#f1605d', 0.75 '#9e2f7f', 1 '#2d1160')
  set cbrange [-40:-0]
  set cblabel 'rel-MSE, dB' noenhanced
  set xrange [-0.5:17.5]
  set yrange [19.5:-0.5]
  set xtics 0,2 out nomirror
  set ytics ('K q4_0:rotate=256, V q4_0:rotate=64' 0, 'e8:q=10,rule=published' 1, 'e8:q=15,rule=published' 2, 'e8:q=38,rule=published' 3, 'ece8:bits=2.5,center=mean,page=128' 4, 'ece8:bits=3.5,center=mean,page=128' 5, 'ece8:bits=5,center=mean,page=128' 6, 'kivi:b=2' 7, 'kivi:b=3' 8, 'kivi:b=4' 9, 'klt:bits=1,lattice=tcq,scope=layer,restart=1,page=128,profile=12779678b66778d0' 10, 'klt:bits=2.1,lattice=tcq,scope=layer,restart=1,page=128,profile=12779678b66778d0' 11, 'klt:bits=3.5,lattice=tcq,scope=layer,restart=1,page=128,profile=12779678b66778d0' 12, 'klt:bits=2.2,page=128,profile=12779678b66778d0' 13, 'klt:bits=2.85,page=128,profile=12779678b66778d0' 14, 'klt:bits=4,page=128,profile=12779678b66778d0' 15, 'klt:bits=1.2,page=128,profile=93a1d24c39740d16' 16, 'klt:bits=1.5,page=128,profile=93a1d24c39740d16' 17, 'klt:bits=2,page=128,profile=93a1d24c39740d16' 18, 'q4_0:rotate=64' 19) out nomirror noenhanced
  set border 15 lc rgb '#444444' lw 0.6
  set tics textcolor rgb '#222222'
  unset key
  set ylabel '' noenhanced
  set tmargin at screen 0.92197; set bmargin at screen 0.51129
  set title 'keys' noenhanced offset 0,-0.6
  set format x ''
  unset object
  plot data index 0 matrix with image pixels notitle
  set tmargin at screen 0.47433; set bmargin at screen 0.06366
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
