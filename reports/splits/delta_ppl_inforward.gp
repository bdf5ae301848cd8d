# Change of perplexity against measured bits of the whole cache (in-forward)
# Redraw in this folder: gnuplot delta_ppl_inforward.gp
data = 'delta_ppl_inforward.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1400,1123 enhanced font 'Arial,17' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 2800,2246 enhanced font 'DejaVu Sans,17' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'delta_ppl_inforward.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold Change of perplexity against measured bits of the whole cache (in-forward)}' at screen 0.5,0.98041 center font ',20'
  set label 2 'passages of 2048 + 64 scored tokens; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn; noise alone is above 0' at screen 0.5,0.95725 center font ',15' tc rgb '#444444' noenhanced
  set xrange [1:7.5]
  set yrange [0.187132:221.518]
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
  set arrow from screen 0.08036,0.93232 to screen 0.10036,0.93232 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.09036,0.93232 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'q4_0, keys by 256' at screen 0.10465,0.93232 left noenhanced
  set arrow from screen 0.24835,0.93232 to screen 0.26835,0.93232 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.25835,0.93232 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8:rule=published (q)' at screen 0.27264,0.93232 left noenhanced
  set arrow from screen 0.44645,0.93232 to screen 0.46645,0.93232 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.45645,0.93232 point pt 7 ps size lc rgb '#000000'
  set label 'ece8:center=mean (bits)' at screen 0.47074,0.93232 left noenhanced
  set arrow from screen 0.65961,0.93232 to screen 0.67961,0.93232 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.66961,0.93232 point pt 15 ps size lc rgb '#66A61E'
  set label 'kivi (b)' at screen 0.68389,0.93232 left noenhanced
  set arrow from screen 0.75984,0.93232 to screen 0.77984,0.93232 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.76984,0.93232 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt, layers (bits)' at screen 0.78412,0.93232 left noenhanced
  set arrow from screen 0.16930,0.90658 to screen 0.18930,0.90658 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.17930,0.90658 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt, heads (bits)' at screen 0.19359,0.90658 left noenhanced
  set arrow from screen 0.33729,0.90658 to screen 0.35729,0.90658 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.34729,0.90658 point pt 10 ps size lc rgb '#8C6D1F'
  set label 'q4_0, rotated by 64' at screen 0.36157,0.90658 left noenhanced
  set arrow from screen 0.52033,0.90658 to screen 0.54033,0.90658 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front of these 7 of 43 families' at screen 0.54461,0.90658 left noenhanced
  set xlabel 'measured bits per value of the whole cache' noenhanced
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.86027; set bmargin at screen 0.50940
  set title 'gemma-3-270m-q4_k_m (gemma3-270m, held-out), 14 passages' noenhanced offset 0,-0.6 font ',16'
  set label 999 'mean |Δppl|, %' at screen 0.00971,0.68483 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 1 using 1:($3 > 0.187132 ? $3 : 0.187132):(0):($4 - ($3 > 0.187132 ? $3 : 0.187132)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 1 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 2 using 1:($3 > 0.187132 ? $3 : 0.187132):(0):($4 - ($3 > 0.187132 ? $3 : 0.187132)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 2 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 3 using 1:($3 > 0.187132 ? $3 : 0.187132):(0):($4 - ($3 > 0.187132 ? $3 : 0.187132)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 3 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 4 using 1:($3 > 0.187132 ? $3 : 0.187132):(0):($4 - ($3 > 0.187132 ? $3 : 0.187132)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 4 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 5 using 1:($3 > 0.187132 ? $3 : 0.187132):(0):($4 - ($3 > 0.187132 ? $3 : 0.187132)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 5 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 6 using 1:($3 > 0.187132 ? $3 : 0.187132):(0):($4 - ($3 > 0.187132 ? $3 : 0.187132)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 6 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 7 using 1:($3 > 0.187132 ? $3 : 0.187132):(0):($4 - ($3 > 0.187132 ? $3 : 0.187132)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 7 using 1:2 with points pt 10 ps size lc rgb '#8C6D1F' notitle, \
      data index 8 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.86027; set bmargin at screen 0.50940
  set title 'gemma-3-270m-q4_k_m (gemma3-270m-development, development), 32 passages' noenhanced offset 0,-0.6 font ',13'
  unset label
  unset arrow
  set label 999 'mean |Δppl|, %' at screen 0.50971,0.68483 center rotate noenhanced
  plot data index 9 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 10 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 10 using 1:($3 > 0.187132 ? $3 : 0.187132):(0):($4 - ($3 > 0.187132 ? $3 : 0.187132)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 10 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 11 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 11 using 1:($3 > 0.187132 ? $3 : 0.187132):(0):($4 - ($3 > 0.187132 ? $3 : 0.187132)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 11 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 12 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 12 using 1:($3 > 0.187132 ? $3 : 0.187132):(0):($4 - ($3 > 0.187132 ? $3 : 0.187132)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 12 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 13 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 13 using 1:($3 > 0.187132 ? $3 : 0.187132):(0):($4 - ($3 > 0.187132 ? $3 : 0.187132)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 13 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 14 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 14 using 1:($3 > 0.187132 ? $3 : 0.187132):(0):($4 - ($3 > 0.187132 ? $3 : 0.187132)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 14 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 15 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 15 using 1:($3 > 0.187132 ? $3 : 0.187132):(0):($4 - ($3 > 0.187132 ? $3 : 0.187132)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 15 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 16 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 16 using 1:($3 > 0.187132 ? $3 : 0.187132):(0):($4 - ($3 > 0.187132 ? $3 : 0.187132)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 16 using 1:2 with points pt 10 ps size lc rgb '#8C6D1F' notitle, \
      data index 17 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.41500; set bmargin at screen 0.06412
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m, held-out), 37 passages' noenhanced offset 0,-0.6 font ',14'
  set label 999 'mean |Δppl|, %' at screen 0.00971,0.23956 center rotate noenhanced
  plot data index 18 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 19 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 19 using 1:($3 > 0.187132 ? $3 : 0.187132):(0):($4 - ($3 > 0.187132 ? $3 : 0.187132)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 19 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 20 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 20 using 1:($3 > 0.187132 ? $3 : 0.187132):(0):($4 - ($3 > 0.187132 ? $3 : 0.187132)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 20 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 21 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 21 using 1:($3 > 0.187132 ? $3 : 0.187132):(0):($4 - ($3 > 0.187132 ? $3 : 0.187132)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 21 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 22 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 22 using 1:($3 > 0.187132 ? $3 : 0.187132):(0):($4 - ($3 > 0.187132 ? $3 : 0.187132)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 22 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 23 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 23 using 1:($3 > 0.187132 ? $3 : 0.187132):(0):($4 - ($3 > 0.187132 ? $3 : 0.187132)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 23 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 24 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 24 using 1:($3 > 0.187132 ? $3 : 0.187132):(0):($4 - ($3 > 0.187132 ? $3 : 0.187132)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 24 using 1:2 with points pt 10 ps size lc rgb '#8C6D1F' notitle, \
      data index 25 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.41500; set bmargin at screen 0.06412
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m-development, development), 32 passages' noenhanced offset 0,-0.6 font ',11'
  set label 999 'mean |Δppl|, %' at screen 0.50971,0.23956 center rotate noenhanced
  plot data index 26 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 27 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 27 using 1:($3 > 0.187132 ? $3 : 0.187132):(0):($4 - ($3 > 0.187132 ? $3 : 0.187132)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 27 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 28 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 28 using 1:($3 > 0.187132 ? $3 : 0.187132):(0):($4 - ($3 > 0.187132 ? $3 : 0.187132)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 28 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 29 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 29 using 1:($3 > 0.187132 ? $3 : 0.187132):(0):($4 - ($3 > 0.187132 ? $3 : 0.187132)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 29 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 30 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 30 using 1:($3 > 0.187132 ? $3 : 0.187132):(0):($4 - ($3 > 0.187132 ? $3 : 0.187132)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 30 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 31 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 31 using 1:($3 > 0.187132 ? $3 : 0.187132):(0):($4 - ($3 > 0.187132 ? $3 : 0.187132)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 31 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 32 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 32 using 1:($3 > 0.187132 ? $3 : 0.187132):(0):($4 - ($3 > 0.187132 ? $3 : 0.187132)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 32 using 1:2 with points pt 10 ps size lc rgb '#8C6D1F' notitle, \
      data index 33 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
