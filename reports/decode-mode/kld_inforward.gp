# KL divergence from the bf16 cache against measured bits of the coded values (in-forward)
# Redraw in this folder: gnuplot kld_inforward.gp
data = 'kld_inforward.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1000,680 enhanced font 'Arial,15' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 2000,1359 enhanced font 'DejaVu Sans,15' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'kld_inforward.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold KL divergence from the bf16 cache against measured bits of the coded values (in-forward)}' at screen 0.5,0.96762 center font ',18'
  set label 2 '8 passages of 1028 + 64 scored tokens; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn' at screen 0.5,0.92936 center font ',13' tc rgb '#444444' noenhanced
  set xrange [3:9]
  set yrange [0.000157103:0.176087]
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
  set arrow from screen 0.11050,0.88815 to screen 0.13850,0.88815 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.12450,0.88815 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8 (q)' at screen 0.14450,0.88815 left noenhanced
  set arrow from screen 0.22230,0.88815 to screen 0.25030,0.88815 nohead lw 1.2 dt 1 lc rgb '#009E73'
  set label '' at screen 0.23630,0.88815 point pt 9 ps size lc rgb '#009E73'
  set label 'tq (b)' at screen 0.25630,0.88815 left noenhanced
  set arrow from screen 0.33410,0.88815 to screen 0.36210,0.88815 nohead lw 1.2 dt 1 lc rgb '#AA3377'
  set label '' at screen 0.34810,0.88815 point pt 13 ps size lc rgb '#AA3377'
  set label 'fp8' at screen 0.36810,0.88815 left noenhanced
  set arrow from screen 0.41800,0.88815 to screen 0.44600,0.88815 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.43200,0.88815 point pt 7 ps size lc rgb '#000000'
  set label 'ece8:center=mean (bits)' at screen 0.45200,0.88815 left noenhanced
  set arrow from screen 0.68790,0.88815 to screen 0.71590,0.88815 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.70190,0.88815 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'kivi (b)' at screen 0.72190,0.88815 left noenhanced
  set arrow from screen 0.81830,0.88815 to screen 0.84630,0.88815 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.83230,0.88815 point pt 11 ps size lc rgb '#7570B3'
  set label 'q8_0' at screen 0.85230,0.88815 left noenhanced
  set arrow from screen 0.14345,0.85063 to screen 0.17145,0.85063 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front of these 6 of 7 families' at screen 0.17745,0.85063 left noenhanced
  set arrow from screen 0.54355,0.85063 to screen 0.57155,0.85063 nohead lw 1.5 dt 2 lc rgb '#555555'
  set label 'nothing coded: bf16 arithmetic' at screen 0.57755,0.85063 left noenhanced
  set xlabel 'measured bits per value of the coded values' noenhanced
  set lmargin at screen 0.09000; set rmargin at screen 0.98000
  set tmargin at screen 0.77410; set bmargin at screen 0.10596
  set title 'SmolLM2-135M-Instruct.Q4_1, held-out' noenhanced offset 0,-0.6
  set label 999 'mean KL divergence, nats' at screen 0.01200,0.44003 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 2 using 1:($3 > 0.000157103 ? $3 : 0.000157103):(0):($4 - ($3 > 0.000157103 ? $3 : 0.000157103)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 2 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#009E73' notitle, \
      data index 3 using 1:($3 > 0.000157103 ? $3 : 0.000157103):(0):($4 - ($3 > 0.000157103 ? $3 : 0.000157103)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#009E73' notitle, \
      data index 3 using 1:2 with points pt 9 ps size lc rgb '#009E73' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 4 using 1:($3 > 0.000157103 ? $3 : 0.000157103):(0):($4 - ($3 > 0.000157103 ? $3 : 0.000157103)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 4 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 5 using 1:($3 > 0.000157103 ? $3 : 0.000157103):(0):($4 - ($3 > 0.000157103 ? $3 : 0.000157103)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 5 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 6 using 1:($3 > 0.000157103 ? $3 : 0.000157103):(0):($4 - ($3 > 0.000157103 ? $3 : 0.000157103)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 6 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 7 using 1:($3 > 0.000157103 ? $3 : 0.000157103):(0):($4 - ($3 > 0.000157103 ? $3 : 0.000157103)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 7 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 8 using 1:2:3:4 with labels center font ',13' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
