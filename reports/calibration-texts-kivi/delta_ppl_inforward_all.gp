# Change of perplexity against measured bits of the whole cache (in-forward)
# Redraw in this folder: gnuplot delta_ppl_inforward_all.gp
data = 'delta_ppl_inforward_all.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1800,2343 enhanced font 'Arial,19' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 3600,4686 enhanced font 'DejaVu Sans,19' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'delta_ppl_inforward_all.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold Change of perplexity against measured bits of the whole cache (in-forward)}' at screen 0.5,0.99061 center font ',22'
  set label 2 '8 passages of 2048 + 64 scored tokens; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn; noise alone is above 0' at screen 0.5,0.97952 center font ',17' tc rgb '#444444' noenhanced
  set xrange [2:9.5]
  set yrange [0.012704:85.5837]
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
  set arrow from screen 0.07740,0.96757 to screen 0.09296,0.96757 nohead lw 1.2 dt 1 lc rgb '#AA3377'
  set label '' at screen 0.08518,0.96757 point pt 13 ps size lc rgb '#AA3377'
  set label 'fp8' at screen 0.09629,0.96757 left noenhanced
  set arrow from screen 0.12814,0.96757 to screen 0.14370,0.96757 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.13592,0.96757 point pt 15 ps size lc rgb '#CC79A7'
  set label 'K iq4_nl:rotate=256, V iq4_nl:rotate=64' at screen 0.14703,0.96757 left noenhanced
  set arrow from screen 0.41449,0.96757 to screen 0.43004,0.96757 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.42227,0.96757 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'K q4_0:rotate=256, V q4_0:rotate=64' at screen 0.43338,0.96757 left noenhanced
  set arrow from screen 0.67466,0.96757 to screen 0.69021,0.96757 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.68243,0.96757 point pt 11 ps size lc rgb '#777777'
  set label 'K q4_1:rotate=256, V q4_1:rotate=64' at screen 0.69354,0.96757 left noenhanced
  set arrow from screen 0.01850,0.95378 to screen 0.03406,0.95378 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.02628,0.95378 point pt 15 ps size lc rgb '#8C6D1F'
  set label 'K q5_0:rotate=256, V q5_0:rotate=64' at screen 0.03739,0.95378 left noenhanced
  set arrow from screen 0.27867,0.95378 to screen 0.29422,0.95378 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.28644,0.95378 point pt 11 ps size lc rgb '#66A61E'
  set label 'K q5_1:rotate=256, V q5_1:rotate=64' at screen 0.29756,0.95378 left noenhanced
  set arrow from screen 0.53883,0.95378 to screen 0.55439,0.95378 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.54661,0.95378 point pt 15 ps size lc rgb '#7570B3'
  set label 'K q8_0:rotate=256, V q8_0:rotate=64' at screen 0.55772,0.95378 left noenhanced
  set arrow from screen 0.79900,0.95378 to screen 0.81456,0.95378 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.80678,0.95378 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8:pack=rans,page=128 (q)' at screen 0.81789,0.95378 left noenhanced
  set arrow from screen 0.08556,0.94000 to screen 0.10111,0.94000 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.09333,0.94000 point pt 6 ps size lc rgb '#0072B2'
  set label 'e8:rule=published (q)' at screen 0.10444,0.94000 left noenhanced
  set arrow from screen 0.25410,0.94000 to screen 0.26966,0.94000 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.26188,0.94000 point pt 7 ps size lc rgb '#000000'
  set label 'ece8:center=mean,page=128 (bits)' at screen 0.27299,0.94000 left noenhanced
  set arrow from screen 0.49463,0.94000 to screen 0.51019,0.94000 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.50241,0.94000 point pt 11 ps size lc rgb '#CC79A7'
  set label 'int4' at screen 0.51352,0.94000 left noenhanced
  set arrow from screen 0.55192,0.94000 to screen 0.56748,0.94000 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.55970,0.94000 point pt 15 ps size lc rgb '#777777'
  set label 'int8' at screen 0.57081,0.94000 left noenhanced
  set arrow from screen 0.60921,0.94000 to screen 0.62477,0.94000 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.61699,0.94000 point pt 15 ps size lc rgb '#66A61E'
  set label 'kivi (b)' at screen 0.62810,0.94000 left noenhanced
  set arrow from screen 0.69268,0.94000 to screen 0.70823,0.94000 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.70046,0.94000 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,page=128 (bits)' at screen 0.71157,0.94000 left noenhanced
  set arrow from screen 0.03647,0.92621 to screen 0.05203,0.92621 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.04425,0.92621 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=128 (bits)' at screen 0.05536,0.92621 left noenhanced
  set arrow from screen 0.41444,0.92621 to screen 0.42999,0.92621 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.42222,0.92621 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'mxfp4' at screen 0.43333,0.92621 left noenhanced
  set arrow from screen 0.47827,0.92621 to screen 0.49383,0.92621 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.48605,0.92621 point pt 15 ps size lc rgb '#66A61E'
  set label 'nvfp4' at screen 0.49716,0.92621 left noenhanced
  set arrow from screen 0.54211,0.92621 to screen 0.55766,0.92621 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.54988,0.92621 point pt 10 ps size lc rgb '#8C6D1F'
  set label 'q4_0:rotate=64' at screen 0.56099,0.92621 left noenhanced
  set arrow from screen 0.66484,0.92621 to screen 0.68039,0.92621 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.67262,0.92621 point pt 11 ps size lc rgb '#7570B3'
  set label 'turboquant (b)' at screen 0.68373,0.92621 left noenhanced
  set arrow from screen 0.78757,0.92621 to screen 0.80313,0.92621 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.79535,0.92621 point pt 10 ps size lc rgb '#7570B3'
  set label 'turboquant:mode=prod (b)' at screen 0.80646,0.92621 left noenhanced
  set arrow from screen 0.13791,0.91243 to screen 0.15347,0.91243 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.14569,0.91243 point pt 14 ps size lc rgb '#CC79A7'
  set label 'iq4_nl:rotate=64' at screen 0.15680,0.91243 left noenhanced
  set arrow from screen 0.27373,0.91243 to screen 0.28929,0.91243 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.28151,0.91243 point pt 10 ps size lc rgb '#777777'
  set label 'q4_1:rotate=64' at screen 0.29262,0.91243 left noenhanced
  set arrow from screen 0.39647,0.91243 to screen 0.41202,0.91243 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.40424,0.91243 point pt 14 ps size lc rgb '#8C6D1F'
  set label 'q5_0:rotate=64' at screen 0.41536,0.91243 left noenhanced
  set arrow from screen 0.51920,0.91243 to screen 0.53476,0.91243 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.52698,0.91243 point pt 10 ps size lc rgb '#66A61E'
  set label 'q5_1:rotate=64' at screen 0.53809,0.91243 left noenhanced
  set arrow from screen 0.64193,0.91243 to screen 0.65749,0.91243 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.64971,0.91243 point pt 14 ps size lc rgb '#7570B3'
  set label 'q8_0:rotate=64' at screen 0.66082,0.91243 left noenhanced
  set arrow from screen 0.76467,0.91243 to screen 0.78022,0.91243 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front' at screen 0.78356,0.91243 left noenhanced
  set xlabel 'measured bits per value of the whole cache' noenhanced
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.89024; set bmargin at screen 0.72209
  set title 'gemma-3-270m-q4_k_m (gemma3-270m.manpages-de)' noenhanced offset 0,-0.6 font ',16'
  set label 999 'mean |Δppl|, %' at screen 0.00844,0.80616 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 1 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 1 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 2 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 2 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 3 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 3 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 4 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 4 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 5 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 5 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 6 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 6 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 7 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 7 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 8 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 8 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 9 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 9 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 10 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 10 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 10 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 11 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 11 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 11 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 12 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 12 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 12 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 13 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 13 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 13 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 14 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 14 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 14 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 15 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 15 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 15 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 16 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 16 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 16 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 17 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 17 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 17 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 18 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 18 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 18 using 1:2 with points pt 10 ps size lc rgb '#8C6D1F' notitle, \
      data index 19 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 19 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 19 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 20 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 20 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 20 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 21 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.39311; set rmargin at screen 0.65556
  set tmargin at screen 0.89024; set bmargin at screen 0.72209
  set title 'gemma-3-270m-q4_k_m (gemma3-270m.manpages-fr)' noenhanced offset 0,-0.6 font ',16'
  unset label
  unset arrow
  set label 999 'mean |Δppl|, %' at screen 0.34178,0.80616 center rotate noenhanced
  plot data index 22 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 23 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 23 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 23 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 24 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 24 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 24 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 25 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 25 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 25 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 26 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 26 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 26 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 27 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 27 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 27 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 28 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 28 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 28 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 29 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 29 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 29 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 30 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 30 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 30 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 31 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 31 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 31 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 32 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 32 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 32 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 33 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 33 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 33 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 34 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 34 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 34 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 35 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 35 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 35 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 36 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 36 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 36 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 37 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 37 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 37 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 38 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 38 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 38 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 39 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 39 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 39 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 40 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 40 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 40 using 1:2 with points pt 10 ps size lc rgb '#8C6D1F' notitle, \
      data index 41 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 41 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 41 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 42 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 42 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 42 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 43 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.72644; set rmargin at screen 0.98889
  set tmargin at screen 0.89024; set bmargin at screen 0.72209
  set title 'gemma-3-270m-q4_k_m (gemma3-270m.manpages-zh)' noenhanced offset 0,-0.6 font ',16'
  set label 999 'mean |Δppl|, %' at screen 0.67511,0.80616 center rotate noenhanced
  plot data index 44 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 45 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 45 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 45 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 46 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 46 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 46 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 47 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 47 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 47 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 48 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 48 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 48 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 49 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 49 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 49 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 50 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 50 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 50 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 51 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 51 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 51 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 52 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 52 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 52 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 53 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 53 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 53 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 54 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 54 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 54 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 55 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 55 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 55 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 56 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 56 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 56 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 57 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 57 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 57 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 58 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 58 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 58 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 59 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 59 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 59 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 60 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 60 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 60 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 61 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 61 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 61 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 62 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 62 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 62 using 1:2 with points pt 10 ps size lc rgb '#8C6D1F' notitle, \
      data index 63 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 63 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 63 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 64 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 64 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 64 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 65 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.66405; set bmargin at screen 0.49590
  set title 'gemma-3-270m-q4_k_m (gemma3-270m.python-code)' noenhanced offset 0,-0.6 font ',16'
  set label 999 'mean |Δppl|, %' at screen 0.00844,0.57998 center rotate noenhanced
  plot data index 66 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 67 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 67 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 67 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 68 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 68 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 68 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 69 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 69 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 69 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 70 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 70 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 70 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 71 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 71 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 71 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 72 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 72 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 72 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 73 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 73 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 73 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 74 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 74 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 74 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 75 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 75 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 75 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 76 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 76 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 76 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 77 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 77 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 77 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 78 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 78 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 78 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 79 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 79 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 79 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 80 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 80 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 80 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 81 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 81 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 81 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 82 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 82 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 82 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 83 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 83 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 83 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 84 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 84 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 84 using 1:2 with points pt 10 ps size lc rgb '#8C6D1F' notitle, \
      data index 85 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 85 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 85 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 86 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 86 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 86 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 87 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.39311; set rmargin at screen 0.65556
  set tmargin at screen 0.66405; set bmargin at screen 0.49590
  set title 'gemma-3-270m-q4_k_m (gemma3-270m.wiki.test)' noenhanced offset 0,-0.6 font ',17'
  set label 999 'mean |Δppl|, %' at screen 0.34178,0.57998 center rotate noenhanced
  plot data index 88 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 89 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 89 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 89 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 90 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 90 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 90 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 91 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 91 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 91 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 92 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 92 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 92 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 93 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 93 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 93 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 94 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 94 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 94 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 95 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 95 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 95 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 96 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 96 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 96 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 97 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 97 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 97 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 98 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 98 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 98 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 99 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 99 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 99 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 100 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 100 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 100 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 101 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 101 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 101 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 102 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 102 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 102 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 103 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 103 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 103 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 104 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 104 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 104 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 105 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 105 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 105 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 106 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 106 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 106 using 1:2 with points pt 10 ps size lc rgb '#8C6D1F' notitle, \
      data index 107 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 107 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 107 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 108 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 108 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 108 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 109 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.72644; set rmargin at screen 0.98889
  set tmargin at screen 0.66405; set bmargin at screen 0.49590
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m.manpages-de)' noenhanced offset 0,-0.6 font ',14'
  set label 999 'mean |Δppl|, %' at screen 0.67511,0.57998 center rotate noenhanced
  plot data index 110 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 111 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 111 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 111 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 112 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 112 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 112 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 113 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 113 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 113 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 114 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 114 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 114 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 115 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 115 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 115 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 116 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 116 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 116 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 117 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 117 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 117 using 1:2 with points pt 14 ps size lc rgb '#CC79A7' notitle, \
      data index 118 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 118 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 118 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 119 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 119 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 119 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 120 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 120 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 120 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 121 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 121 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 121 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 122 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 122 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 122 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 123 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 123 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 123 using 1:2 with points pt 10 ps size lc rgb '#8C6D1F' notitle, \
      data index 124 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 124 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 124 using 1:2 with points pt 10 ps size lc rgb '#777777' notitle, \
      data index 125 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 125 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 125 using 1:2 with points pt 14 ps size lc rgb '#8C6D1F' notitle, \
      data index 126 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 126 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 126 using 1:2 with points pt 10 ps size lc rgb '#66A61E' notitle, \
      data index 127 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 127 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 127 using 1:2 with points pt 14 ps size lc rgb '#7570B3' notitle, \
      data index 128 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 128 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 128 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 129 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 129 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 129 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 130 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.43786; set bmargin at screen 0.26972
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m.manpages-fr)' noenhanced offset 0,-0.6 font ',14'
  set label 999 'mean |Δppl|, %' at screen 0.00844,0.35379 center rotate noenhanced
  plot data index 131 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 132 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 132 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 132 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 133 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 133 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 133 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 134 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 134 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 134 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 135 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 135 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 135 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 136 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 136 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 136 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 137 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 137 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 137 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 138 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 138 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 138 using 1:2 with points pt 14 ps size lc rgb '#CC79A7' notitle, \
      data index 139 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 139 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 139 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 140 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 140 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 140 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 141 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 141 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 141 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 142 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 142 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 142 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 143 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 143 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 143 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 144 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 144 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 144 using 1:2 with points pt 10 ps size lc rgb '#8C6D1F' notitle, \
      data index 145 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 145 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 145 using 1:2 with points pt 10 ps size lc rgb '#777777' notitle, \
      data index 146 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 146 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 146 using 1:2 with points pt 14 ps size lc rgb '#8C6D1F' notitle, \
      data index 147 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 147 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 147 using 1:2 with points pt 10 ps size lc rgb '#66A61E' notitle, \
      data index 148 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 148 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 148 using 1:2 with points pt 14 ps size lc rgb '#7570B3' notitle, \
      data index 149 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 149 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 149 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 150 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 150 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 150 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 151 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.39311; set rmargin at screen 0.65556
  set tmargin at screen 0.43786; set bmargin at screen 0.26972
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m.manpages-zh)' noenhanced offset 0,-0.6 font ',14'
  set label 999 'mean |Δppl|, %' at screen 0.34178,0.35379 center rotate noenhanced
  plot data index 152 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 153 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 153 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 153 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 154 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 154 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 154 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 155 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 155 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 155 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 156 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 156 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 156 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 157 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 157 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 157 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 158 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 158 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 158 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 159 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 159 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 159 using 1:2 with points pt 14 ps size lc rgb '#CC79A7' notitle, \
      data index 160 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 160 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 160 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 161 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 161 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 161 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 162 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 162 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 162 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 163 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 163 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 163 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 164 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 164 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 164 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 165 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 165 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 165 using 1:2 with points pt 10 ps size lc rgb '#8C6D1F' notitle, \
      data index 166 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 166 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 166 using 1:2 with points pt 10 ps size lc rgb '#777777' notitle, \
      data index 167 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 167 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 167 using 1:2 with points pt 14 ps size lc rgb '#8C6D1F' notitle, \
      data index 168 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 168 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 168 using 1:2 with points pt 10 ps size lc rgb '#66A61E' notitle, \
      data index 169 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 169 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 169 using 1:2 with points pt 14 ps size lc rgb '#7570B3' notitle, \
      data index 170 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 170 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 170 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 171 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 171 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 171 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 172 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.72644; set rmargin at screen 0.98889
  set tmargin at screen 0.43786; set bmargin at screen 0.26972
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m.python-code)' noenhanced offset 0,-0.6 font ',14'
  set label 999 'mean |Δppl|, %' at screen 0.67511,0.35379 center rotate noenhanced
  plot data index 173 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 174 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 174 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 174 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 175 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 175 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 175 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 176 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 176 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 176 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 177 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 177 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 177 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 178 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 178 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 178 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 179 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 179 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 179 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 180 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 180 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 180 using 1:2 with points pt 14 ps size lc rgb '#CC79A7' notitle, \
      data index 181 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 181 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 181 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 182 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 182 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 182 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 183 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 183 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 183 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 184 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 184 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 184 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 185 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 185 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 185 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 186 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 186 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 186 using 1:2 with points pt 10 ps size lc rgb '#8C6D1F' notitle, \
      data index 187 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 187 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 187 using 1:2 with points pt 10 ps size lc rgb '#777777' notitle, \
      data index 188 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 188 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 188 using 1:2 with points pt 14 ps size lc rgb '#8C6D1F' notitle, \
      data index 189 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 189 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 189 using 1:2 with points pt 10 ps size lc rgb '#66A61E' notitle, \
      data index 190 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 190 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 190 using 1:2 with points pt 14 ps size lc rgb '#7570B3' notitle, \
      data index 191 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 191 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 191 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 192 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 192 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 192 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 193 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.21168; set bmargin at screen 0.04353
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m.wiki.test)' noenhanced offset 0,-0.6 font ',14'
  set label 999 'mean |Δppl|, %' at screen 0.00844,0.12760 center rotate noenhanced
  plot data index 194 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 195 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 195 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 195 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 196 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 196 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 196 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 197 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 197 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 197 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 198 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 198 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 198 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 199 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 199 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 199 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 200 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 200 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 200 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 201 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 201 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 201 using 1:2 with points pt 14 ps size lc rgb '#CC79A7' notitle, \
      data index 202 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 202 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 202 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 203 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 203 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 203 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 204 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 204 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 204 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 205 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 205 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 205 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 206 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 206 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 206 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 207 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 207 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 207 using 1:2 with points pt 10 ps size lc rgb '#8C6D1F' notitle, \
      data index 208 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 208 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 208 using 1:2 with points pt 10 ps size lc rgb '#777777' notitle, \
      data index 209 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 209 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 209 using 1:2 with points pt 14 ps size lc rgb '#8C6D1F' notitle, \
      data index 210 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 210 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 210 using 1:2 with points pt 10 ps size lc rgb '#66A61E' notitle, \
      data index 211 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 211 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 211 using 1:2 with points pt 14 ps size lc rgb '#7570B3' notitle, \
      data index 212 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 212 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 212 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 213 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 213 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 213 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 214 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
