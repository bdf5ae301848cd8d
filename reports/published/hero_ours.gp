# Change of perplexity against compression of the whole cache
# Redraw in this folder: gnuplot hero_ours.gp
data = 'hero_ours.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1000,1290 enhanced font 'Arial,15' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 2000,2581 enhanced font 'DejaVu Sans,15' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'hero_ours.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold Change of perplexity against compression of the whole cache}' at screen 0.5,0.98295 center font ',18'
  set label 2 'passages of 2048 + 64 scored tokens; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn; no profiles' at screen 0.5,0.96281 center font ',13' tc rgb '#444444' noenhanced
  set xrange [1.5:15.5]
  set yrange [0.0636579:192.547]
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
  set arrow from screen 0.14790,0.94111 to screen 0.17590,0.94111 nohead lw 1.2 dt 1 lc rgb '#AA3377'
  set label '' at screen 0.16190,0.94111 point pt 13 ps size lc rgb '#AA3377'
  set label 'fp8' at screen 0.18190,0.94111 left noenhanced
  set arrow from screen 0.23180,0.94111 to screen 0.25980,0.94111 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.24580,0.94111 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'q4_0, keys by 256' at screen 0.26580,0.94111 left noenhanced
  set arrow from screen 0.44590,0.94111 to screen 0.47390,0.94111 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.45990,0.94111 point pt 15 ps size lc rgb '#66A61E'
  set label 'q5_0, keys by 256' at screen 0.47990,0.94111 left noenhanced
  set arrow from screen 0.66000,0.94111 to screen 0.68800,0.94111 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.67400,0.94111 point pt 11 ps size lc rgb '#7570B3'
  set label 'q8_0, keys by 256' at screen 0.69400,0.94111 left noenhanced
  set arrow from screen 0.08280,0.92135 to screen 0.11080,0.92135 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.09680,0.92135 point pt 7 ps size lc rgb '#0072B2'
  set label 'E8 (KakeyaLattice) (q)' at screen 0.11680,0.92135 left noenhanced
  set arrow from screen 0.34340,0.92135 to screen 0.37140,0.92135 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.35740,0.92135 point pt 7 ps size lc rgb '#000000'
  set label 'ece8, centred (bits)' at screen 0.37740,0.92135 left noenhanced
  set arrow from screen 0.58540,0.92135 to screen 0.61340,0.92135 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.59940,0.92135 point pt 15 ps size lc rgb '#CC79A7'
  set label 'KIVI (b)' at screen 0.61940,0.92135 left noenhanced
  set arrow from screen 0.71580,0.92135 to screen 0.74380,0.92135 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.72980,0.92135 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt, layers (bits)' at screen 0.74980,0.92135 left noenhanced
  set arrow from screen 0.12000,0.90159 to screen 0.14800,0.90159 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.13400,0.90159 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt, heads (bits)' at screen 0.15400,0.90159 left noenhanced
  set arrow from screen 0.33410,0.90159 to screen 0.36210,0.90159 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.34810,0.90159 point pt 11 ps size lc rgb '#777777'
  set label 'nvfp4' at screen 0.36810,0.90159 left noenhanced
  set arrow from screen 0.43660,0.90159 to screen 0.46460,0.90159 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.45060,0.90159 point pt 10 ps size lc rgb '#8C6D1F'
  set label 'q4_0, rotated by 64' at screen 0.47060,0.90159 left noenhanced
  set arrow from screen 0.66930,0.90159 to screen 0.69730,0.90159 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.68330,0.90159 point pt 14 ps size lc rgb '#66A61E'
  set label 'q5_0, rotated by 64' at screen 0.70330,0.90159 left noenhanced
  set arrow from screen 0.39465,0.88183 to screen 0.42265,0.88183 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.40865,0.88183 point pt 10 ps size lc rgb '#7570B3'
  set label 'q8_0, rotated by 64' at screen 0.42865,0.88183 left noenhanced
  set xlabel 'compression of the whole cache of 131072 tokens, times (computed; skipped layers, sinks, half a page at 16 bits)' noenhanced
  set lmargin at screen 0.09000; set rmargin at screen 0.98000
  set tmargin at screen 0.84153; set bmargin at screen 0.48973
  set title 'gemma-3-270m-q4_k_m, held-out, 14 passages' noenhanced offset 0,-0.6
  set label 999 'mean |Δppl|, %' at screen 0.01200,0.66563 center rotate noenhanced
  plot data index 0 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 0 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 0 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 1 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 1 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 1 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 2 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 2 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 3 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 3 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 4 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 4 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 5 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 5 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 6 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 6 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 7 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 7 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 8 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 8 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 9 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 9 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 10 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 10 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 10 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 11 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 11 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 11 using 1:2 with points pt 10 ps size lc rgb '#8C6D1F' notitle, \
      data index 12 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 12 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 12 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 13 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 13 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 13 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 14 using 1:2:3:4 with labels center font ',13' tc rgb variable noenhanced notitle
  set lmargin at screen 0.09000; set rmargin at screen 0.98000
  set tmargin at screen 0.40759; set bmargin at screen 0.05579
  set title 'SmolLM2-135M-Instruct.Q4_1, held-out, 37 passages' noenhanced offset 0,-0.6
  unset label
  unset arrow
  set label 999 'mean |Δppl|, %' at screen 0.01200,0.23169 center rotate noenhanced
  plot data index 15 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 15 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 15 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 16 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 16 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 16 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 17 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 17 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 17 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 18 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 18 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 18 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 19 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 19 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 19 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 20 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 20 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 20 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 21 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 21 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 21 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 22 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 22 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 22 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 23 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 23 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 23 using 1:2 with points pt 10 ps size lc rgb '#8C6D1F' notitle, \
      data index 24 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 24 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 24 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 25 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 25 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 25 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 26 using 1:2:3:4 with labels center font ',13' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
