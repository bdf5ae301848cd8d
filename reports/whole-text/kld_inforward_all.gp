# KL divergence from the bf16 cache against measured bits of the whole cache (in-forward)
# Redraw in this folder: gnuplot kld_inforward_all.gp
data = 'kld_inforward_all.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1400,738 enhanced font 'Arial,17' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 2800,1477 enhanced font 'DejaVu Sans,17' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'kld_inforward_all.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold KL divergence from the bf16 cache against measured bits of the whole cache (in-forward)}' at screen 0.5,0.97021 center font ',20'
  set label 2 'passages; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn; profiles not counted' at screen 0.5,0.93500 center font ',15' tc rgb '#444444' noenhanced
  set xrange [1.5:10.5]
  set yrange [0.000104962:0.304792]
  set logscale y
  set format y '%g'
  set xtics 1 nomirror
  set ytics nomirror
  set mxtics 2
  set mytics 10
  set border 3 lc rgb '#444444'
  set tics textcolor rgb '#222222'
  set grid xtics ytics lt 1 lw 0.6 lc rgb '#d9d9d9'
  unset key
  set arrow from screen 0.15801,0.89709 to screen 0.17801,0.89709 nohead lw 1.2 dt 1 lc rgb '#AA3377'
  set label '' at screen 0.16801,0.89709 point pt 13 ps size lc rgb '#AA3377'
  set label 'fp8' at screen 0.18229,0.89709 left noenhanced
  set arrow from screen 0.22059,0.89709 to screen 0.24059,0.89709 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.23059,0.89709 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'K iq4_nl:rotate=256, V iq4_nl:rotate=64' at screen 0.24488,0.89709 left noenhanced
  set arrow from screen 0.55421,0.89709 to screen 0.57421,0.89709 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.56421,0.89709 point pt 15 ps size lc rgb '#66A61E'
  set label 'K q4_0:rotate=256, V q4_0:rotate=64' at screen 0.57849,0.89709 left noenhanced
  set arrow from screen 0.05261,0.85796 to screen 0.07261,0.85796 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.06261,0.85796 point pt 11 ps size lc rgb '#7570B3'
  set label 'K q4_1:rotate=256, V q4_1:rotate=64' at screen 0.07689,0.85796 left noenhanced
  set arrow from screen 0.35611,0.85796 to screen 0.37611,0.85796 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.36611,0.85796 point pt 15 ps size lc rgb '#CC79A7'
  set label 'K q5_0:rotate=256, V q5_0:rotate=64' at screen 0.38039,0.85796 left noenhanced
  set arrow from screen 0.65961,0.85796 to screen 0.67961,0.85796 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.66961,0.85796 point pt 11 ps size lc rgb '#777777'
  set label 'K q5_1:rotate=256, V q5_1:rotate=64' at screen 0.68389,0.85796 left noenhanced
  set arrow from screen 0.15048,0.81882 to screen 0.17048,0.81882 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.16048,0.81882 point pt 15 ps size lc rgb '#8C6D1F'
  set label 'K q8_0:rotate=256, V q8_0:rotate=64' at screen 0.17476,0.81882 left noenhanced
  set arrow from screen 0.45398,0.81882 to screen 0.47398,0.81882 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.46398,0.81882 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8:rule=published (q)' at screen 0.47826,0.81882 left noenhanced
  set arrow from screen 0.65208,0.81882 to screen 0.67208,0.81882 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.66208,0.81882 point pt 7 ps size lc rgb '#000000'
  set label 'ece8:center=mean (bits)' at screen 0.67636,0.81882 left noenhanced
  set arrow from screen 0.06272,0.77969 to screen 0.08272,0.77969 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.07272,0.77969 point pt 6 ps size lc rgb '#000000'
  set label 'ece8:center=mean,page=128 (bits)' at screen 0.08701,0.77969 left noenhanced
  set arrow from screen 0.34364,0.77969 to screen 0.36364,0.77969 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.35364,0.77969 point pt 11 ps size lc rgb '#66A61E'
  set label 'int4' at screen 0.36792,0.77969 left noenhanced
  set arrow from screen 0.41375,0.77969 to screen 0.43375,0.77969 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.42375,0.77969 point pt 15 ps size lc rgb '#7570B3'
  set label 'kivi (b)' at screen 0.43804,0.77969 left noenhanced
  set arrow from screen 0.51398,0.77969 to screen 0.53398,0.77969 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.52398,0.77969 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=128 (bits)' at screen 0.53826,0.77969 left noenhanced
  set arrow from screen 0.02766,0.74056 to screen 0.04766,0.74056 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.03766,0.74056 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=512 (bits)' at screen 0.05195,0.74056 left noenhanced
  set arrow from screen 0.46668,0.74056 to screen 0.48668,0.74056 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.47668,0.74056 point pt 15 ps size lc rgb '#CC0000'
  set label 'klt:page=128 (bits)' at screen 0.49096,0.74056 left noenhanced
  set arrow from screen 0.64972,0.74056 to screen 0.66972,0.74056 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.65972,0.74056 point pt 14 ps size lc rgb '#CC0000'
  set label 'klt (bits)' at screen 0.67401,0.74056 left noenhanced
  set arrow from screen 0.76501,0.74056 to screen 0.78501,0.74056 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.77501,0.74056 point pt 11 ps size lc rgb '#CC79A7'
  set label 'nvfp4' at screen 0.78929,0.74056 left noenhanced
  set arrow from screen 0.84265,0.74056 to screen 0.86265,0.74056 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.85265,0.74056 point pt 14 ps size lc rgb '#66A61E'
  set label 'q4_0:rotate=64' at screen 0.86694,0.74056 left noenhanced
  set arrow from screen 0.09166,0.70142 to screen 0.11166,0.70142 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.10166,0.70142 point pt 14 ps size lc rgb '#CC79A7'
  set label 'q5_0:rotate=64' at screen 0.11594,0.70142 left noenhanced
  set arrow from screen 0.23706,0.70142 to screen 0.25706,0.70142 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.24706,0.70142 point pt 14 ps size lc rgb '#8C6D1F'
  set label 'q8_0:rotate=64' at screen 0.26134,0.70142 left noenhanced
  set arrow from screen 0.38246,0.70142 to screen 0.40246,0.70142 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.39246,0.70142 point pt 15 ps size lc rgb '#777777'
  set label 'turboquant (b)' at screen 0.40674,0.70142 left noenhanced
  set arrow from screen 0.52786,0.70142 to screen 0.54786,0.70142 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front' at screen 0.55214,0.70142 left noenhanced
  set arrow from screen 0.65820,0.70142 to screen 0.67820,0.70142 nohead lw 1.5 dt 2 lc rgb '#555555'
  set label 'nothing coded: bf16 arithmetic' at screen 0.68249,0.70142 left noenhanced
  set xlabel 'measured bits per value of the whole cache' noenhanced
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.63101; set bmargin at screen 0.09749
  set title 'gemma-3-270m-q4_k_m, 144 passages' noenhanced offset 0,-0.6
  set label 999 'mean KL divergence, nats' at screen 0.00971,0.36425 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 2 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 2 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 3 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 3 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 4 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 4 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 5 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 5 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 6 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 6 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 7 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 7 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 8 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 8 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 9 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 9 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 10 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 10 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 10 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 11 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 11 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 11 using 1:2 with points pt 6 ps size lc rgb '#000000' notitle, \
      data index 12 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 12 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 12 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 13 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 13 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 13 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 14 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 14 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 14 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 15 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 15 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 15 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 16 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 16 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 16 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 17 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 17 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 17 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 18 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 18 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 18 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 19 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 19 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 19 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 20 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 20 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 20 using 1:2 with points pt 14 ps size lc rgb '#CC79A7' notitle, \
      data index 21 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 21 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 21 using 1:2 with points pt 14 ps size lc rgb '#8C6D1F' notitle, \
      data index 22 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 22 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 22 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 23 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.63101; set bmargin at screen 0.09749
  set title 'SmolLM2-135M-Instruct.Q4_1, 590 passages' noenhanced offset 0,-0.6
  unset label
  unset arrow
  set label 999 'mean KL divergence, nats' at screen 0.50971,0.36425 center rotate noenhanced
  plot data index 24 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 25 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 26 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 26 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 26 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 27 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 27 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 27 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 28 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 28 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 28 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 29 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 29 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 29 using 1:2 with points pt 6 ps size lc rgb '#000000' notitle, \
      data index 30 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 30 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 30 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 31 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 31 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 31 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 32 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 32 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 32 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 33 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 33 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 33 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 34 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 34 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 34 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 35 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 35 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 35 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 36 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 36 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 36 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 37 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 37 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 37 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 38 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 38 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 38 using 1:2 with points pt 14 ps size lc rgb '#CC79A7' notitle, \
      data index 39 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 39 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 39 using 1:2 with points pt 14 ps size lc rgb '#8C6D1F' notitle, \
      data index 40 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 40 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 40 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 41 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
