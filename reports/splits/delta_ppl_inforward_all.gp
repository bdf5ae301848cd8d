# Change of perplexity against measured bits of the coded values (in-forward)
# Redraw in this folder: gnuplot delta_ppl_inforward_all.gp
data = 'delta_ppl_inforward_all.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1400,710 enhanced font 'Arial,17' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 2800,1419 enhanced font 'DejaVu Sans,17' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'delta_ppl_inforward_all.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold Change of perplexity against measured bits of the coded values (in-forward)}' at screen 0.5,0.96900 center font ',20'
  set label 2 'passages of 2048 + 64 scored tokens; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn; noise alone is above 0' at screen 0.5,0.93236 center font ',15' tc rgb '#444444' noenhanced
  set xrange [0.5:9]
  set yrange [0.109008:946.597]
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
  set arrow from screen 0.04036,0.89290 to screen 0.06036,0.89290 nohead lw 1.2 dt 1 lc rgb '#AA3377'
  set label '' at screen 0.05036,0.89290 point pt 13 ps size lc rgb '#AA3377'
  set label 'fp8' at screen 0.06465,0.89290 left noenhanced
  set arrow from screen 0.10295,0.89290 to screen 0.12295,0.89290 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.11295,0.89290 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8:pack=rans (q)' at screen 0.12724,0.89290 left noenhanced
  set arrow from screen 0.26341,0.89290 to screen 0.28341,0.89290 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.27341,0.89290 point pt 6 ps size lc rgb '#0072B2'
  set label 'e8:rule=published (q)' at screen 0.28769,0.89290 left noenhanced
  set arrow from screen 0.46151,0.89290 to screen 0.48151,0.89290 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.47151,0.89290 point pt 7 ps size lc rgb '#000000'
  set label 'ece8:center=mean (bits)' at screen 0.48579,0.89290 left noenhanced
  set arrow from screen 0.67466,0.89290 to screen 0.69466,0.89290 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.68466,0.89290 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'int4' at screen 0.69895,0.89290 left noenhanced
  set arrow from screen 0.74478,0.89290 to screen 0.76478,0.89290 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.75478,0.89290 point pt 15 ps size lc rgb '#66A61E'
  set label 'int8' at screen 0.76906,0.89290 left noenhanced
  set arrow from screen 0.81489,0.89290 to screen 0.83489,0.89290 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.82489,0.89290 point pt 11 ps size lc rgb '#7570B3'
  set label 'iq4_nl:rotate=64' at screen 0.83918,0.89290 left noenhanced
  set arrow from screen 0.07778,0.85217 to screen 0.09778,0.85217 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.08778,0.85217 point pt 15 ps size lc rgb '#CC79A7'
  set label 'kivi (b)' at screen 0.10206,0.85217 left noenhanced
  set arrow from screen 0.17801,0.85217 to screen 0.19801,0.85217 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.18801,0.85217 point pt 11 ps size lc rgb '#777777'
  set label 'klt:lattice=tcq (bits)' at screen 0.20229,0.85217 left noenhanced
  set arrow from screen 0.38364,0.85217 to screen 0.40364,0.85217 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.39364,0.85217 point pt 10 ps size lc rgb '#777777'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=512 (bits)' at screen 0.40792,0.85217 left noenhanced
  set arrow from screen 0.82265,0.85217 to screen 0.84265,0.85217 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.83265,0.85217 point pt 15 ps size lc rgb '#777777'
  set label 'klt (bits)' at screen 0.84694,0.85217 left noenhanced
  set arrow from screen 0.07542,0.81144 to screen 0.09542,0.81144 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.08542,0.81144 point pt 14 ps size lc rgb '#777777'
  set label 'klt:scope=layer,restart=1,page=512 (bits)' at screen 0.09971,0.81144 left noenhanced
  set arrow from screen 0.42409,0.81144 to screen 0.44409,0.81144 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.43409,0.81144 point pt 15 ps size lc rgb '#8C6D1F'
  set label 'mxfp4' at screen 0.44838,0.81144 left noenhanced
  set arrow from screen 0.50174,0.81144 to screen 0.52174,0.81144 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.51174,0.81144 point pt 11 ps size lc rgb '#66A61E'
  set label 'nvfp4' at screen 0.52602,0.81144 left noenhanced
  set arrow from screen 0.57938,0.81144 to screen 0.59938,0.81144 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.58938,0.81144 point pt 15 ps size lc rgb '#7570B3'
  set label 'q4_0' at screen 0.60366,0.81144 left noenhanced
  set arrow from screen 0.64949,0.81144 to screen 0.66949,0.81144 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.65949,0.81144 point pt 14 ps size lc rgb '#7570B3'
  set label 'q4_0:rotate=64' at screen 0.67378,0.81144 left noenhanced
  set arrow from screen 0.79489,0.81144 to screen 0.81489,0.81144 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.80489,0.81144 point pt 11 ps size lc rgb '#CC79A7'
  set label 'q4_1:rotate=64' at screen 0.81918,0.81144 left noenhanced
  set arrow from screen 0.07166,0.77072 to screen 0.09166,0.77072 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.08166,0.77072 point pt 15 ps size lc rgb '#777777'
  set label 'q5_0:rotate=64' at screen 0.09594,0.77072 left noenhanced
  set arrow from screen 0.21706,0.77072 to screen 0.23706,0.77072 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.22706,0.77072 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'q5_1:rotate=64' at screen 0.24134,0.77072 left noenhanced
  set arrow from screen 0.36246,0.77072 to screen 0.38246,0.77072 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.37246,0.77072 point pt 15 ps size lc rgb '#66A61E'
  set label 'q8_0' at screen 0.38674,0.77072 left noenhanced
  set arrow from screen 0.43257,0.77072 to screen 0.45257,0.77072 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.44257,0.77072 point pt 14 ps size lc rgb '#66A61E'
  set label 'q8_0:rotate=64' at screen 0.45686,0.77072 left noenhanced
  set arrow from screen 0.57797,0.77072 to screen 0.59797,0.77072 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.58797,0.77072 point pt 11 ps size lc rgb '#7570B3'
  set label 'turboquant (b)' at screen 0.60226,0.77072 left noenhanced
  set arrow from screen 0.72337,0.77072 to screen 0.74337,0.77072 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.73337,0.77072 point pt 10 ps size lc rgb '#7570B3'
  set label 'turboquant:mode=prod (b)' at screen 0.74766,0.77072 left noenhanced
  set arrow from screen 0.44269,0.72999 to screen 0.46269,0.72999 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front' at screen 0.46697,0.72999 left noenhanced
  set xlabel 'measured bits per value of the coded values' noenhanced
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.65671; set bmargin at screen 0.10147
  set title 'SmolLM2-135M-Instruct.Q4_1 (held-out, held-out), 37 passages' noenhanced offset 0,-0.6 font ',15'
  set label 999 'mean |Δppl|, %' at screen 0.00971,0.37909 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 1 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 1 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 2 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 2 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 3 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 3 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 4 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 4 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 5 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 5 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 6 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 6 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 7 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 7 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 8 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 8 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 9 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 9 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 10 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 10 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 10 using 1:2 with points pt 10 ps size lc rgb '#777777' notitle, \
      data index 11 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 11 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 11 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 12 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 12 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 12 using 1:2 with points pt 14 ps size lc rgb '#777777' notitle, \
      data index 13 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 13 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 13 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 14 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 14 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 14 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 15 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 15 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 15 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 16 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 16 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 16 using 1:2 with points pt 14 ps size lc rgb '#7570B3' notitle, \
      data index 17 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 17 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 17 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 18 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 18 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 18 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 19 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 19 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 19 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 20 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 20 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 20 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 21 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 21 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 21 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 22 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 22 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 22 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 23 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 23 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 23 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 24 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.65671; set bmargin at screen 0.10147
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m, development), 32 passages' noenhanced offset 0,-0.6 font ',13'
  unset label
  unset arrow
  set label 999 'mean |Δppl|, %' at screen 0.50971,0.37909 center rotate noenhanced
  plot data index 25 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 26 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 26 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 26 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 27 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 27 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 27 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 28 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 28 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 28 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 29 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 29 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 29 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 30 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 30 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 30 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 31 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 31 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 31 using 1:2 with points pt 10 ps size lc rgb '#777777' notitle, \
      data index 32 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 32 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 32 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 33 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 33 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 33 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 34 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 34 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 34 using 1:2 with points pt 14 ps size lc rgb '#7570B3' notitle, \
      data index 35 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 35 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 35 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 36 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 36 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 36 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 37 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
