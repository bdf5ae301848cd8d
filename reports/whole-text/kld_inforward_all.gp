# KL divergence from the bf16 cache against measured bits of the whole cache (in-forward)
# Redraw in this folder: gnuplot kld_inforward_all.gp
data = 'kld_inforward_all.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1400,796 enhanced font 'Arial,17' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 2800,1593 enhanced font 'DejaVu Sans,17' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'kld_inforward_all.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold KL divergence from the bf16 cache against measured bits of the whole cache (in-forward)}' at screen 0.5,0.97237 center font ',20'
  set label 2 'passages; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn; profiles not counted' at screen 0.5,0.93972 center font ',15' tc rgb '#444444' noenhanced
  set xrange [1.5:11.5]
  set yrange [0.000104962:0.304792]
  set logscale y
  set format y '%g'
  set xtics 2 nomirror
  set ytics nomirror
  set mxtics 2
  set mytics 10
  set border 3 lc rgb '#444444'
  set tics textcolor rgb '#222222'
  set grid xtics ytics lt 1 lw 0.6 lc rgb '#d9d9d9'
  unset key
  set arrow from screen 0.15801,0.90456 to screen 0.17801,0.90456 nohead lw 1.2 dt 1 lc rgb '#AA3377'
  set label '' at screen 0.16801,0.90456 point pt 13 ps size lc rgb '#AA3377'
  set label 'fp8' at screen 0.18229,0.90456 left noenhanced
  set arrow from screen 0.22059,0.90456 to screen 0.24059,0.90456 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.23059,0.90456 point pt 11 ps size lc rgb '#7570B3'
  set label 'K iq4_nl:rotate=256, V iq4_nl:rotate=64' at screen 0.24488,0.90456 left noenhanced
  set arrow from screen 0.55421,0.90456 to screen 0.57421,0.90456 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.56421,0.90456 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'K q4_0:rotate=256, V q4_0:rotate=64' at screen 0.57849,0.90456 left noenhanced
  set arrow from screen 0.05261,0.86827 to screen 0.07261,0.86827 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.06261,0.86827 point pt 15 ps size lc rgb '#CC79A7'
  set label 'K q4_1:rotate=256, V q4_1:rotate=64' at screen 0.07689,0.86827 left noenhanced
  set arrow from screen 0.35611,0.86827 to screen 0.37611,0.86827 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.36611,0.86827 point pt 11 ps size lc rgb '#777777'
  set label 'K q5_0:rotate=256, V q5_0:rotate=64' at screen 0.38039,0.86827 left noenhanced
  set arrow from screen 0.65961,0.86827 to screen 0.67961,0.86827 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.66961,0.86827 point pt 15 ps size lc rgb '#8C6D1F'
  set label 'K q5_1:rotate=256, V q5_1:rotate=64' at screen 0.68389,0.86827 left noenhanced
  set arrow from screen 0.06272,0.83197 to screen 0.08272,0.83197 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.07272,0.83197 point pt 11 ps size lc rgb '#66A61E'
  set label 'K q8_0:rotate=256, V q8_0:rotate=64' at screen 0.08701,0.83197 left noenhanced
  set arrow from screen 0.36622,0.83197 to screen 0.38622,0.83197 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.37622,0.83197 point pt 6 ps size lc rgb '#0072B2'
  set label 'e8:pack=rans (q)' at screen 0.39051,0.83197 left noenhanced
  set arrow from screen 0.52668,0.83197 to screen 0.54668,0.83197 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.53668,0.83197 point pt 5 ps size lc rgb '#0072B2'
  set label 'e8:pack=rans,page=128 (q)' at screen 0.55096,0.83197 left noenhanced
  set arrow from screen 0.75489,0.83197 to screen 0.77489,0.83197 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.76489,0.83197 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8:rule=published (q)' at screen 0.77918,0.83197 left noenhanced
  set arrow from screen 0.14059,0.79568 to screen 0.16059,0.79568 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.15059,0.79568 point pt 6 ps size lc rgb '#000000'
  set label 'ece8:center=mean (bits)' at screen 0.16488,0.79568 left noenhanced
  set arrow from screen 0.35375,0.79568 to screen 0.37375,0.79568 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.36375,0.79568 point pt 7 ps size lc rgb '#000000'
  set label 'ece8:center=mean,page=128 (bits)' at screen 0.37804,0.79568 left noenhanced
  set arrow from screen 0.63466,0.79568 to screen 0.65466,0.79568 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.64466,0.79568 point pt 15 ps size lc rgb '#7570B3'
  set label 'int4' at screen 0.65895,0.79568 left noenhanced
  set arrow from screen 0.70478,0.79568 to screen 0.72478,0.79568 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.71478,0.79568 point pt 11 ps size lc rgb '#CC79A7'
  set label 'int8' at screen 0.72906,0.79568 left noenhanced
  set arrow from screen 0.77489,0.79568 to screen 0.79489,0.79568 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.78489,0.79568 point pt 15 ps size lc rgb '#66A61E'
  set label 'kivi (b)' at screen 0.79918,0.79568 left noenhanced
  set arrow from screen 0.06884,0.75939 to screen 0.08884,0.75939 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.07884,0.75939 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=128 (bits)' at screen 0.09313,0.75939 left noenhanced
  set arrow from screen 0.50786,0.75939 to screen 0.52786,0.75939 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.51786,0.75939 point pt 15 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=512 (bits)' at screen 0.53214,0.75939 left noenhanced
  set arrow from screen 0.06295,0.72309 to screen 0.08295,0.72309 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.07295,0.72309 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:page=128 (bits)' at screen 0.08724,0.72309 left noenhanced
  set arrow from screen 0.24599,0.72309 to screen 0.26599,0.72309 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.25599,0.72309 point pt 14 ps size lc rgb '#CC0000'
  set label 'klt (bits)' at screen 0.27028,0.72309 left noenhanced
  set arrow from screen 0.36128,0.72309 to screen 0.38128,0.72309 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.37128,0.72309 point pt 15 ps size lc rgb '#777777'
  set label 'mxfp4' at screen 0.38556,0.72309 left noenhanced
  set arrow from screen 0.43892,0.72309 to screen 0.45892,0.72309 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.44892,0.72309 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'nvfp4' at screen 0.46321,0.72309 left noenhanced
  set arrow from screen 0.51656,0.72309 to screen 0.53656,0.72309 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.52656,0.72309 point pt 10 ps size lc rgb '#8C6D1F'
  set label 'q4_0:rotate=64' at screen 0.54085,0.72309 left noenhanced
  set arrow from screen 0.66196,0.72309 to screen 0.68196,0.72309 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.67196,0.72309 point pt 10 ps size lc rgb '#777777'
  set label 'q5_0:rotate=64' at screen 0.68625,0.72309 left noenhanced
  set arrow from screen 0.80736,0.72309 to screen 0.82736,0.72309 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.81736,0.72309 point pt 10 ps size lc rgb '#66A61E'
  set label 'q8_0:rotate=64' at screen 0.83165,0.72309 left noenhanced
  set arrow from screen 0.03401,0.68680 to screen 0.05401,0.68680 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.04401,0.68680 point pt 15 ps size lc rgb '#66A61E'
  set label 'turboquant (b)' at screen 0.05830,0.68680 left noenhanced
  set arrow from screen 0.17941,0.68680 to screen 0.19941,0.68680 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.18941,0.68680 point pt 14 ps size lc rgb '#66A61E'
  set label 'turboquant:mode=prod (b)' at screen 0.20370,0.68680 left noenhanced
  set arrow from screen 0.40010,0.68680 to screen 0.42010,0.68680 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.41010,0.68680 point pt 10 ps size lc rgb '#7570B3'
  set label 'iq4_nl:rotate=64' at screen 0.42439,0.68680 left noenhanced
  set arrow from screen 0.56056,0.68680 to screen 0.58056,0.68680 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.57056,0.68680 point pt 14 ps size lc rgb '#CC79A7'
  set label 'q4_1:rotate=64' at screen 0.58484,0.68680 left noenhanced
  set arrow from screen 0.70596,0.68680 to screen 0.72596,0.68680 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.71596,0.68680 point pt 14 ps size lc rgb '#8C6D1F'
  set label 'q5_1:rotate=64' at screen 0.73024,0.68680 left noenhanced
  set arrow from screen 0.85136,0.68680 to screen 0.87136,0.68680 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front' at screen 0.87564,0.68680 left noenhanced
  set arrow from screen 0.37493,0.65051 to screen 0.39493,0.65051 nohead lw 1.5 dt 2 lc rgb '#555555'
  set label 'nothing coded: bf16 arithmetic' at screen 0.39921,0.65051 left noenhanced
  set xlabel 'measured bits per value of the whole cache' noenhanced
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.58521; set bmargin at screen 0.09042
  set title 'gemma-3-270m-q4_k_m, 144 passages' noenhanced offset 0,-0.6
  set label 999 'mean KL divergence, nats' at screen 0.00971,0.33781 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 2 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 2 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 3 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 3 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 4 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 4 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 5 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 5 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 6 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 6 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 7 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 7 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 8 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 8 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 9 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 9 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 10 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 10 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 10 using 1:2 with points pt 5 ps size lc rgb '#0072B2' notitle, \
      data index 11 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 11 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 11 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 12 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 12 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 12 using 1:2 with points pt 6 ps size lc rgb '#000000' notitle, \
      data index 13 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 13 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 13 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 14 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 14 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 14 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 15 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 15 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 15 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 16 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 16 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 16 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 17 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 17 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 17 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 18 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 18 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 18 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 19 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 19 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 19 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 20 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 20 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 20 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 21 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 21 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 21 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 22 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 22 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 22 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 23 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 23 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 23 using 1:2 with points pt 10 ps size lc rgb '#8C6D1F' notitle, \
      data index 24 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 24 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 24 using 1:2 with points pt 10 ps size lc rgb '#777777' notitle, \
      data index 25 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 25 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 25 using 1:2 with points pt 10 ps size lc rgb '#66A61E' notitle, \
      data index 26 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 26 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 26 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 27 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 27 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 27 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 28 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.58521; set bmargin at screen 0.09042
  set title 'SmolLM2-135M-Instruct.Q4_1, 590 passages' noenhanced offset 0,-0.6
  unset label
  unset arrow
  set label 999 'mean KL divergence, nats' at screen 0.50971,0.33781 center rotate noenhanced
  plot data index 29 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 30 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 31 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 31 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 31 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 32 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 32 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 32 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 33 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 33 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 33 using 1:2 with points pt 5 ps size lc rgb '#0072B2' notitle, \
      data index 34 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 34 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 34 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 35 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 35 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 35 using 1:2 with points pt 6 ps size lc rgb '#000000' notitle, \
      data index 36 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 36 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 36 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 37 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 37 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 37 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 38 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 38 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 38 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 39 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 39 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 39 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 40 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 40 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 40 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 41 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 41 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 41 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 42 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 42 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 42 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 43 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 43 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 43 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 44 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 44 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 44 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 45 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 45 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 45 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 46 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 46 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 46 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 47 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 47 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 47 using 1:2 with points pt 10 ps size lc rgb '#8C6D1F' notitle, \
      data index 48 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 48 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 48 using 1:2 with points pt 14 ps size lc rgb '#CC79A7' notitle, \
      data index 49 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 49 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 49 using 1:2 with points pt 10 ps size lc rgb '#777777' notitle, \
      data index 50 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 50 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 50 using 1:2 with points pt 14 ps size lc rgb '#8C6D1F' notitle, \
      data index 51 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 51 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 51 using 1:2 with points pt 10 ps size lc rgb '#66A61E' notitle, \
      data index 52 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 52 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 52 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 53 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 53 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 53 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 54 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
