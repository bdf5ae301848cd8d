# Change of perplexity against measured bits of the coded values (prefix)
# Redraw in this folder: gnuplot delta_ppl_prefix.gp
data = 'delta_ppl_prefix.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1400,652 enhanced font 'Arial,17' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 2800,1304 enhanced font 'DejaVu Sans,17' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'delta_ppl_prefix.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold Change of perplexity against measured bits of the coded values (prefix)}' at screen 0.5,0.96625 center font ',20'
  set label 2 '4 passages of 8000 + 192 scored tokens; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn; noise alone is above 0' at screen 0.5,0.92636 center font ',15' tc rgb '#444444' noenhanced
  set xrange [0.5:6]
  set yrange [0.0347506:15.4583]
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
  set arrow from screen 0.02626,0.88340 to screen 0.04626,0.88340 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.03626,0.88340 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8:rule=published (q)' at screen 0.05054,0.88340 left noenhanced
  set arrow from screen 0.22436,0.88340 to screen 0.24436,0.88340 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.23436,0.88340 point pt 7 ps size lc rgb '#000000'
  set label 'ece8:center=mean (bits)' at screen 0.24864,0.88340 left noenhanced
  set arrow from screen 0.43751,0.88340 to screen 0.45751,0.88340 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.44751,0.88340 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=2000,profile=c0f09db8c887968c (bits)' at screen 0.46180,0.88340 left noenhanced
  set arrow from screen 0.17424,0.83906 to screen 0.19424,0.83906 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.18424,0.83906 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=b270406f341440ab (bits)' at screen 0.19853,0.83906 left noenhanced
  set arrow from screen 0.64337,0.83906 to screen 0.66337,0.83906 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.65337,0.83906 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'kvtc:page=1024 (bits)' at screen 0.66766,0.83906 left noenhanced
  set arrow from screen 0.11025,0.79472 to screen 0.13025,0.79472 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.12025,0.79472 point pt 15 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=c3767853ceaf4eac (bits)' at screen 0.13454,0.79472 left noenhanced
  set arrow from screen 0.57938,0.79472 to screen 0.59938,0.79472 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front of these 6 of 53 families' at screen 0.60366,0.79472 left noenhanced
  set xlabel 'measured bits per value of the coded values' noenhanced
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.71494; set bmargin at screen 0.11046
  set title 'gemma-3-270m-q4_k_m, held-out' noenhanced offset 0,-0.6
  set label 999 'mean |Δppl|, %' at screen 0.00971,0.41270 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 1 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 1 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 2 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 2 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 3 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 3 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 4 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 4 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 5 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 5 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 6 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.71494; set bmargin at screen 0.11046
  set title 'SmolLM2-135M-Instruct.Q4_1, held-out' noenhanced offset 0,-0.6
  unset label
  unset arrow
  set label 999 'mean |Δppl|, %' at screen 0.50971,0.41270 center rotate noenhanced
  plot data index 7 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 8 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 8 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 9 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 9 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 10 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 10 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 10 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 11 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 11 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 11 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 12 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
