# gemma-3-270m-q4_k_m, held-out: cosine of each layer (prefix)
# Redraw in this folder: gnuplot layers_cosine_prefix_gemma3-270m.gp
data = 'layers_cosine_prefix_gemma3-270m.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1000,1094 enhanced font 'Arial,14' background rgb 'white'
  }
  if (format eq 'png') {
    set terminal pngcairo size 2000,2188 enhanced font 'DejaVu Sans,14' fontscale 1.5 \
      linewidth 2 background rgb 'white'
  }
  set output 'layers_cosine_prefix_gemma3-270m.'.format
  set multiplot
  unset label
  set label 1 '{/:Bold gemma-3-270m-q4\_k\_m, held-out: cosine of each layer (prefix)}' at screen 0.5,0.98355 center font ',17'
  set label 2 'mean over 14 passages; dark: more is lost; grey: not coded' at screen 0.5,0.96344 center font ',12' tc rgb '#444444' noenhanced
  set lmargin at screen 0.52240; set rmargin at screen 0.88000
  set palette defined (0 '#ffffff', 0.25 '#fdd49e', 0.5 '#f1605d', 0.75 '#9e2f7f', 1 '#2d1160')
  set cbrange [-5:-0.5]
  set cblabel 'log10(1 - cosine)' noenhanced
  set xrange [-0.5:17.5]
  set yrange [22.5:-0.5]
  set xtics 0,2 out nomirror
  set ytics ('e8:q=10,rule=published' 0, 'e8:q=15,rule=published' 1, 'e8:q=22,rule=published' 2, 'e8:q=38,rule=published' 3, 'ece8:bits=2,center=mean' 4, 'ece8:bits=3,center=mean' 5, 'ece8:bits=4,center=mean' 6, 'ece8:bits=5,center=mean' 7, 'kivi:b=2' 8, 'kivi:b=3' 9, 'kivi:b=4' 10, 'klt:bits=0.3,scope=layer,predict=1,profile=12a90d97ac309713' 11, 'klt:bits=0.65,scope=layer,predict=1,profile=12a90d97ac309713' 12, 'klt:bits=1.3,scope=layer,predict=1,profile=12a90d97ac309713' 13, 'klt:bits=2.5,scope=layer,predict=1,profile=12a90d97ac309713' 14, 'klt:bits=0.35,scope=layer,predict=2,profile=2bec5f08efb2304c' 15, 'klt:bits=0.6,scope=layer,predict=2,profile=2bec5f08efb2304c' 16, 'klt:bits=1,scope=layer,predict=2,profile=2bec5f08efb2304c' 17, 'klt:bits=2.1,scope=layer,predict=2,profile=2bec5f08efb2304c' 18, 'kvtc:bits=0.8,page=1024' 19, 'kvtc:bits=1.2,page=1024' 20, 'kvtc:bits=2.4,page=1024' 21, 'kvtc:bits=4.5,page=1024' 22) out nomirror noenhanced
  set border 15 lc rgb '#444444' lw 0.6
  set tics textcolor rgb '#222222'
  unset key
  set ylabel '' noenhanced
  set tmargin at screen 0.93053; set bmargin at screen 0.51005
  set title 'keys' noenhanced offset 0,-0.6
  set format x ''
  unset object
  plot data index 0 matrix with image pixels notitle
  set tmargin at screen 0.47715; set bmargin at screen 0.05667
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
