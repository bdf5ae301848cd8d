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
  set arrow from screen 0.10277,0.96757 to screen 0.11833,0.96757 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.11055,0.96757 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'K iq4_nl:rotate=256, V iq4_nl:rotate=64' at screen 0.12166,0.96757 left noenhanced
  set arrow from screen 0.38912,0.96757 to screen 0.40467,0.96757 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.39689,0.96757 point pt 15 ps size lc rgb '#66A61E'
  set label 'K q4_0:rotate=256, V q4_0:rotate=64' at screen 0.40801,0.96757 left noenhanced
  set arrow from screen 0.64928,0.96757 to screen 0.66484,0.96757 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.65706,0.96757 point pt 11 ps size lc rgb '#7570B3'
  set label 'K q4_1:rotate=256, V q4_1:rotate=64' at screen 0.66817,0.96757 left noenhanced
  set arrow from screen 0.01850,0.95378 to screen 0.03406,0.95378 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.02628,0.95378 point pt 15 ps size lc rgb '#CC79A7'
  set label 'K q5_0:rotate=256, V q5_0:rotate=64' at screen 0.03739,0.95378 left noenhanced
  set arrow from screen 0.27867,0.95378 to screen 0.29422,0.95378 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.28644,0.95378 point pt 11 ps size lc rgb '#777777'
  set label 'K q5_1:rotate=256, V q5_1:rotate=64' at screen 0.29756,0.95378 left noenhanced
  set arrow from screen 0.53883,0.95378 to screen 0.55439,0.95378 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.54661,0.95378 point pt 15 ps size lc rgb '#8C6D1F'
  set label 'K q8_0:rotate=256, V q8_0:rotate=64' at screen 0.55772,0.95378 left noenhanced
  set arrow from screen 0.79900,0.95378 to screen 0.81456,0.95378 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.80678,0.95378 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8:pack=rans,page=128 (q)' at screen 0.81789,0.95378 left noenhanced
  set arrow from screen 0.03813,0.94000 to screen 0.05369,0.94000 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.04591,0.94000 point pt 7 ps size lc rgb '#000000'
  set label 'ece8:center=mean,page=128 (bits)' at screen 0.05702,0.94000 left noenhanced
  set arrow from screen 0.27867,0.94000 to screen 0.29422,0.94000 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.28644,0.94000 point pt 11 ps size lc rgb '#66A61E'
  set label 'kivi (b)' at screen 0.29756,0.94000 left noenhanced
  set arrow from screen 0.36213,0.94000 to screen 0.37769,0.94000 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.36991,0.94000 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,page=128 (bits)' at screen 0.38102,0.94000 left noenhanced
  set arrow from screen 0.59612,0.94000 to screen 0.61168,0.94000 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.60390,0.94000 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=128 (bits)' at screen 0.61501,0.94000 left noenhanced
  set arrow from screen 0.02333,0.92621 to screen 0.03889,0.92621 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.03111,0.92621 point pt 14 ps size lc rgb '#66A61E'
  set label 'q4_0:rotate=64' at screen 0.04222,0.92621 left noenhanced
  set arrow from screen 0.14607,0.92621 to screen 0.16162,0.92621 nohead lw 1.2 dt 1 lc rgb '#AA3377'
  set label '' at screen 0.15384,0.92621 point pt 13 ps size lc rgb '#AA3377'
  set label 'fp8' at screen 0.16496,0.92621 left noenhanced
  set arrow from screen 0.19681,0.92621 to screen 0.21237,0.92621 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.20459,0.92621 point pt 6 ps size lc rgb '#0072B2'
  set label 'e8:rule=published (q)' at screen 0.21570,0.92621 left noenhanced
  set arrow from screen 0.36536,0.92621 to screen 0.38091,0.92621 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.37313,0.92621 point pt 15 ps size lc rgb '#7570B3'
  set label 'int4' at screen 0.38424,0.92621 left noenhanced
  set arrow from screen 0.42264,0.92621 to screen 0.43820,0.92621 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.43042,0.92621 point pt 11 ps size lc rgb '#CC79A7'
  set label 'int8' at screen 0.44153,0.92621 left noenhanced
  set arrow from screen 0.47993,0.92621 to screen 0.49549,0.92621 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.48771,0.92621 point pt 10 ps size lc rgb '#8C6D1F'
  set label 'iq4_nl:rotate=64' at screen 0.49882,0.92621 left noenhanced
  set arrow from screen 0.61576,0.92621 to screen 0.63131,0.92621 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.62353,0.92621 point pt 15 ps size lc rgb '#777777'
  set label 'mxfp4' at screen 0.63464,0.92621 left noenhanced
  set arrow from screen 0.67959,0.92621 to screen 0.69514,0.92621 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.68737,0.92621 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'nvfp4' at screen 0.69848,0.92621 left noenhanced
  set arrow from screen 0.74342,0.92621 to screen 0.75898,0.92621 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.75120,0.92621 point pt 10 ps size lc rgb '#7570B3'
  set label 'q4_1:rotate=64' at screen 0.76231,0.92621 left noenhanced
  set arrow from screen 0.86616,0.92621 to screen 0.88171,0.92621 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.87393,0.92621 point pt 14 ps size lc rgb '#CC79A7'
  set label 'q5_0:rotate=64' at screen 0.88504,0.92621 left noenhanced
  set arrow from screen 0.17310,0.91243 to screen 0.18866,0.91243 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.18088,0.91243 point pt 10 ps size lc rgb '#777777'
  set label 'q5_1:rotate=64' at screen 0.19199,0.91243 left noenhanced
  set arrow from screen 0.29583,0.91243 to screen 0.31139,0.91243 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.30361,0.91243 point pt 14 ps size lc rgb '#8C6D1F'
  set label 'q8_0:rotate=64' at screen 0.31472,0.91243 left noenhanced
  set arrow from screen 0.41857,0.91243 to screen 0.43412,0.91243 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.42634,0.91243 point pt 15 ps size lc rgb '#66A61E'
  set label 'turboquant (b)' at screen 0.43746,0.91243 left noenhanced
  set arrow from screen 0.54130,0.91243 to screen 0.55686,0.91243 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.54908,0.91243 point pt 14 ps size lc rgb '#66A61E'
  set label 'turboquant:mode=prod (b)' at screen 0.56019,0.91243 left noenhanced
  set arrow from screen 0.72948,0.91243 to screen 0.74503,0.91243 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front' at screen 0.74837,0.91243 left noenhanced
  set xlabel 'measured bits per value of the whole cache' noenhanced
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.89024; set bmargin at screen 0.72209
  set title 'gemma-3-270m-q4_k_m (gemma3-270m.manpages-de)' noenhanced offset 0,-0.6 font ',16'
  set label 999 'mean |Δppl|, %' at screen 0.00844,0.80616 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 1 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 1 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 2 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 2 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 3 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 3 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 4 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 4 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 5 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 5 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 6 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 6 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 7 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 7 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 8 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 8 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 9 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 9 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 10 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 10 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 10 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 11 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 11 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 11 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 12 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 12 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 12 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 13 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.39311; set rmargin at screen 0.65556
  set tmargin at screen 0.89024; set bmargin at screen 0.72209
  set title 'gemma-3-270m-q4_k_m (gemma3-270m.manpages-fr)' noenhanced offset 0,-0.6 font ',16'
  unset label
  unset arrow
  set label 999 'mean |Δppl|, %' at screen 0.34178,0.80616 center rotate noenhanced
  plot data index 14 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 15 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 15 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 15 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 16 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 16 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 16 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 17 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 17 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 17 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 18 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 18 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 18 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 19 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 19 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 19 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 20 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 20 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 20 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 21 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 21 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 21 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 22 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 22 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 22 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 23 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 23 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 23 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 24 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 24 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 24 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 25 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 25 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 25 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 26 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 26 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 26 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 27 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.72644; set rmargin at screen 0.98889
  set tmargin at screen 0.89024; set bmargin at screen 0.72209
  set title 'gemma-3-270m-q4_k_m (gemma3-270m.manpages-zh)' noenhanced offset 0,-0.6 font ',16'
  set label 999 'mean |Δppl|, %' at screen 0.67511,0.80616 center rotate noenhanced
  plot data index 28 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 29 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 29 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 29 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 30 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 30 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 30 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 31 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 31 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 31 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 32 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 32 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 32 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 33 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 33 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 33 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 34 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 34 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 34 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 35 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 35 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 35 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 36 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 36 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 36 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 37 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 37 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 37 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 38 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 38 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 38 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 39 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 39 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 39 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 40 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 40 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 40 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 41 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.66405; set bmargin at screen 0.49590
  set title 'gemma-3-270m-q4_k_m (gemma3-270m.python-code)' noenhanced offset 0,-0.6 font ',16'
  set label 999 'mean |Δppl|, %' at screen 0.00844,0.57998 center rotate noenhanced
  plot data index 42 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 43 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 43 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 43 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 44 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 44 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 44 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 45 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 45 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 45 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 46 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 46 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 46 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 47 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 47 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 47 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 48 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 48 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 48 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 49 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 49 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 49 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 50 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 50 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 50 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 51 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 51 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 51 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 52 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 52 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 52 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 53 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 53 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 53 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 54 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 54 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 54 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 55 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.39311; set rmargin at screen 0.65556
  set tmargin at screen 0.66405; set bmargin at screen 0.49590
  set title 'gemma-3-270m-q4_k_m (gemma3-270m.wiki.test)' noenhanced offset 0,-0.6 font ',17'
  set label 999 'mean |Δppl|, %' at screen 0.34178,0.57998 center rotate noenhanced
  plot data index 56 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 57 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 57 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 57 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 58 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 58 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 58 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 59 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 59 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 59 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 60 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 60 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 60 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 61 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 61 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 61 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 62 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 62 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 62 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 63 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 63 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 63 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 64 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 64 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 64 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 65 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 65 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 65 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 66 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 66 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 66 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 67 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 67 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 67 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 68 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 68 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 68 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 69 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.72644; set rmargin at screen 0.98889
  set tmargin at screen 0.66405; set bmargin at screen 0.49590
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m.manpages-de)' noenhanced offset 0,-0.6 font ',14'
  set label 999 'mean |Δppl|, %' at screen 0.67511,0.57998 center rotate noenhanced
  plot data index 70 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 71 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 71 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 71 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 72 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 72 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 72 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 73 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 73 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 73 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 74 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 74 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 74 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 75 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 75 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 75 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 76 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 76 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 76 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 77 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 77 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 77 using 1:2 with points pt 10 ps size lc rgb '#8C6D1F' notitle, \
      data index 78 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 78 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 78 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 79 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 79 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 79 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 80 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 80 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 80 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 81 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 81 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 81 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 82 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 82 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 82 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 83 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 83 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 83 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 84 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 84 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 84 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 85 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 85 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 85 using 1:2 with points pt 14 ps size lc rgb '#CC79A7' notitle, \
      data index 86 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 86 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 86 using 1:2 with points pt 10 ps size lc rgb '#777777' notitle, \
      data index 87 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 87 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 87 using 1:2 with points pt 14 ps size lc rgb '#8C6D1F' notitle, \
      data index 88 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 88 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 88 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 89 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 89 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 89 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 90 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.43786; set bmargin at screen 0.26972
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m.manpages-fr)' noenhanced offset 0,-0.6 font ',14'
  set label 999 'mean |Δppl|, %' at screen 0.00844,0.35379 center rotate noenhanced
  plot data index 91 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 92 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 92 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 92 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 93 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 93 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 93 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 94 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 94 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 94 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 95 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 95 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 95 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 96 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 96 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 96 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 97 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 97 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 97 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 98 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 98 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 98 using 1:2 with points pt 10 ps size lc rgb '#8C6D1F' notitle, \
      data index 99 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 99 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 99 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 100 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 100 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 100 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 101 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 101 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 101 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 102 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 102 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 102 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 103 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 103 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 103 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 104 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 104 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 104 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 105 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 105 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 105 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 106 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 106 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 106 using 1:2 with points pt 14 ps size lc rgb '#CC79A7' notitle, \
      data index 107 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 107 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 107 using 1:2 with points pt 10 ps size lc rgb '#777777' notitle, \
      data index 108 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 108 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 108 using 1:2 with points pt 14 ps size lc rgb '#8C6D1F' notitle, \
      data index 109 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 109 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 109 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 110 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 110 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 110 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 111 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.39311; set rmargin at screen 0.65556
  set tmargin at screen 0.43786; set bmargin at screen 0.26972
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m.manpages-zh)' noenhanced offset 0,-0.6 font ',14'
  set label 999 'mean |Δppl|, %' at screen 0.34178,0.35379 center rotate noenhanced
  plot data index 112 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 113 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 113 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 113 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 114 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 114 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 114 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 115 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 115 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 115 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 116 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 116 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 116 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 117 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 117 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 117 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 118 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 118 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 118 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 119 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 119 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 119 using 1:2 with points pt 10 ps size lc rgb '#8C6D1F' notitle, \
      data index 120 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 120 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 120 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 121 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 121 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 121 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 122 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 122 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 122 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 123 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 123 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 123 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 124 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 124 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 124 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 125 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 125 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 125 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 126 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 126 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 126 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 127 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 127 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 127 using 1:2 with points pt 14 ps size lc rgb '#CC79A7' notitle, \
      data index 128 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 128 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 128 using 1:2 with points pt 10 ps size lc rgb '#777777' notitle, \
      data index 129 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 129 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 129 using 1:2 with points pt 14 ps size lc rgb '#8C6D1F' notitle, \
      data index 130 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 130 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 130 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 131 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 131 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 131 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 132 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.72644; set rmargin at screen 0.98889
  set tmargin at screen 0.43786; set bmargin at screen 0.26972
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m.python-code)' noenhanced offset 0,-0.6 font ',14'
  set label 999 'mean |Δppl|, %' at screen 0.67511,0.35379 center rotate noenhanced
  plot data index 133 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 134 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 134 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 134 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 135 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 135 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 135 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 136 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 136 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 136 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 137 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 137 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 137 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 138 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 138 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 138 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 139 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 139 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 139 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 140 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 140 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 140 using 1:2 with points pt 10 ps size lc rgb '#8C6D1F' notitle, \
      data index 141 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 141 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 141 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 142 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 142 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 142 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 143 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 143 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 143 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 144 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 144 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 144 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 145 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 145 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 145 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 146 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 146 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 146 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 147 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 147 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 147 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 148 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 148 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 148 using 1:2 with points pt 14 ps size lc rgb '#CC79A7' notitle, \
      data index 149 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 149 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 149 using 1:2 with points pt 10 ps size lc rgb '#777777' notitle, \
      data index 150 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 150 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 150 using 1:2 with points pt 14 ps size lc rgb '#8C6D1F' notitle, \
      data index 151 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 151 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 151 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 152 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 152 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 152 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 153 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.21168; set bmargin at screen 0.04353
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m.wiki.test)' noenhanced offset 0,-0.6 font ',14'
  set label 999 'mean |Δppl|, %' at screen 0.00844,0.12760 center rotate noenhanced
  plot data index 154 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 155 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 155 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 155 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 156 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 156 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 156 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 157 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 157 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 157 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 158 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 158 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 158 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 159 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 159 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 159 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 160 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 160 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 160 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 161 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 161 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 161 using 1:2 with points pt 10 ps size lc rgb '#8C6D1F' notitle, \
      data index 162 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 162 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 162 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 163 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 163 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 163 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 164 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 164 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 164 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 165 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 165 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 165 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 166 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 166 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 166 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 167 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 167 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 167 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 168 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 168 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 168 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 169 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 169 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 169 using 1:2 with points pt 14 ps size lc rgb '#CC79A7' notitle, \
      data index 170 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 170 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 170 using 1:2 with points pt 10 ps size lc rgb '#777777' notitle, \
      data index 171 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 171 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 171 using 1:2 with points pt 14 ps size lc rgb '#8C6D1F' notitle, \
      data index 172 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 172 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 172 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 173 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 173 using 1:($3 > 0.012704 ? $3 : 0.012704):(0):($4 - ($3 > 0.012704 ? $3 : 0.012704)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 173 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 174 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
