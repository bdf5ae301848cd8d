# Change of perplexity against measured bits of the coded values (in-forward)
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
  set label 1 '{/:Bold Change of perplexity against measured bits of the coded values (in-forward)}' at screen 0.5,0.98041 center font ',20'
  set label 2 'passages; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn; noise alone is above 0' at screen 0.5,0.95725 center font ',15' tc rgb '#444444' noenhanced
  set xrange [1.5:7.5]
  set yrange [0.0938058:135.821]
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
  set arrow from screen 0.09542,0.93232 to screen 0.11542,0.93232 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.10542,0.93232 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8 (q)' at screen 0.11971,0.93232 left noenhanced
  set arrow from screen 0.18059,0.93232 to screen 0.20059,0.93232 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.19059,0.93232 point pt 7 ps size lc rgb '#000000'
  set label 'ece8:center=mean (bits)' at screen 0.20488,0.93232 left noenhanced
  set arrow from screen 0.39375,0.93232 to screen 0.41375,0.93232 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.40375,0.93232 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'kivi (b)' at screen 0.41804,0.93232 left noenhanced
  set arrow from screen 0.49398,0.93232 to screen 0.51398,0.93232 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.50398,0.93232 point pt 15 ps size lc rgb '#66A61E'
  set label 'plan:name=e8.g1 (bits)' at screen 0.51826,0.93232 left noenhanced
  set arrow from screen 0.69961,0.93232 to screen 0.71961,0.93232 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.70961,0.93232 point pt 7 ps size lc rgb '#66A61E'
  set label 'plan:name=ece8.g1 (bits)' at screen 0.72389,0.93232 left noenhanced
  set arrow from screen 0.23447,0.90658 to screen 0.25447,0.90658 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.24447,0.90658 point pt 5 ps size lc rgb '#66A61E'
  set label 'plan:name=kivi.g1 (bits)' at screen 0.25876,0.90658 left noenhanced
  set arrow from screen 0.45516,0.90658 to screen 0.47516,0.90658 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front of these 6 of 20 families' at screen 0.47944,0.90658 left noenhanced
  set xlabel 'measured bits per value of the coded values' noenhanced
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.86027; set bmargin at screen 0.50940
  set title 'nano (nano-development, development), 16 passages' noenhanced offset 0,-0.6
  set label 999 'mean |Δppl|, %' at screen 0.00971,0.68483 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 1 using 1:($3 > 0.0938058 ? $3 : 0.0938058):(0):($4 - ($3 > 0.0938058 ? $3 : 0.0938058)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 1 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 2 using 1:($3 > 0.0938058 ? $3 : 0.0938058):(0):($4 - ($3 > 0.0938058 ? $3 : 0.0938058)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 2 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 3 using 1:($3 > 0.0938058 ? $3 : 0.0938058):(0):($4 - ($3 > 0.0938058 ? $3 : 0.0938058)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 3 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 4 using 1:($3 > 0.0938058 ? $3 : 0.0938058):(0):($4 - ($3 > 0.0938058 ? $3 : 0.0938058)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 4 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 5 using 1:($3 > 0.0938058 ? $3 : 0.0938058):(0):($4 - ($3 > 0.0938058 ? $3 : 0.0938058)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 5 using 1:2 with points pt 7 ps size lc rgb '#66A61E' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 6 using 1:($3 > 0.0938058 ? $3 : 0.0938058):(0):($4 - ($3 > 0.0938058 ? $3 : 0.0938058)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 6 using 1:2 with points pt 5 ps size lc rgb '#66A61E' notitle, \
      data index 7 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.86027; set bmargin at screen 0.50940
  set title 'nano (nano-held-out, held-out), 19 passages' noenhanced offset 0,-0.6
  unset label
  unset arrow
  set label 999 'mean |Δppl|, %' at screen 0.50971,0.68483 center rotate noenhanced
  plot data index 8 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 9 using 1:($3 > 0.0938058 ? $3 : 0.0938058):(0):($4 - ($3 > 0.0938058 ? $3 : 0.0938058)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 9 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 10 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 10 using 1:($3 > 0.0938058 ? $3 : 0.0938058):(0):($4 - ($3 > 0.0938058 ? $3 : 0.0938058)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 10 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 11 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 11 using 1:($3 > 0.0938058 ? $3 : 0.0938058):(0):($4 - ($3 > 0.0938058 ? $3 : 0.0938058)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 11 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 12 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 12 using 1:($3 > 0.0938058 ? $3 : 0.0938058):(0):($4 - ($3 > 0.0938058 ? $3 : 0.0938058)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 12 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 13 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 13 using 1:($3 > 0.0938058 ? $3 : 0.0938058):(0):($4 - ($3 > 0.0938058 ? $3 : 0.0938058)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 13 using 1:2 with points pt 7 ps size lc rgb '#66A61E' notitle, \
      data index 14 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 14 using 1:($3 > 0.0938058 ? $3 : 0.0938058):(0):($4 - ($3 > 0.0938058 ? $3 : 0.0938058)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 14 using 1:2 with points pt 5 ps size lc rgb '#66A61E' notitle, \
      data index 15 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.41500; set bmargin at screen 0.06412
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-development, development), 8 passages' noenhanced offset 0,-0.6 font ',12'
  set label 999 'mean |Δppl|, %' at screen 0.00971,0.23956 center rotate noenhanced
  plot data index 16 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 17 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 17 using 1:($3 > 0.0938058 ? $3 : 0.0938058):(0):($4 - ($3 > 0.0938058 ? $3 : 0.0938058)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 17 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 18 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 18 using 1:($3 > 0.0938058 ? $3 : 0.0938058):(0):($4 - ($3 > 0.0938058 ? $3 : 0.0938058)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 18 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 19 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 19 using 1:($3 > 0.0938058 ? $3 : 0.0938058):(0):($4 - ($3 > 0.0938058 ? $3 : 0.0938058)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 19 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 20 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 20 using 1:($3 > 0.0938058 ? $3 : 0.0938058):(0):($4 - ($3 > 0.0938058 ? $3 : 0.0938058)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 20 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 21 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 21 using 1:($3 > 0.0938058 ? $3 : 0.0938058):(0):($4 - ($3 > 0.0938058 ? $3 : 0.0938058)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 21 using 1:2 with points pt 7 ps size lc rgb '#66A61E' notitle, \
      data index 22 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 22 using 1:($3 > 0.0938058 ? $3 : 0.0938058):(0):($4 - ($3 > 0.0938058 ? $3 : 0.0938058)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 22 using 1:2 with points pt 5 ps size lc rgb '#66A61E' notitle, \
      data index 23 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.41500; set bmargin at screen 0.06412
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-held-out, held-out), 16 passages' noenhanced offset 0,-0.6 font ',13'
  set label 999 'mean |Δppl|, %' at screen 0.50971,0.23956 center rotate noenhanced
  plot data index 24 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 25 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 25 using 1:($3 > 0.0938058 ? $3 : 0.0938058):(0):($4 - ($3 > 0.0938058 ? $3 : 0.0938058)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 25 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 26 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 26 using 1:($3 > 0.0938058 ? $3 : 0.0938058):(0):($4 - ($3 > 0.0938058 ? $3 : 0.0938058)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 26 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 27 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 27 using 1:($3 > 0.0938058 ? $3 : 0.0938058):(0):($4 - ($3 > 0.0938058 ? $3 : 0.0938058)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 27 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 28 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 28 using 1:($3 > 0.0938058 ? $3 : 0.0938058):(0):($4 - ($3 > 0.0938058 ? $3 : 0.0938058)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 28 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 29 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 29 using 1:($3 > 0.0938058 ? $3 : 0.0938058):(0):($4 - ($3 > 0.0938058 ? $3 : 0.0938058)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 29 using 1:2 with points pt 7 ps size lc rgb '#66A61E' notitle, \
      data index 30 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 30 using 1:($3 > 0.0938058 ? $3 : 0.0938058):(0):($4 - ($3 > 0.0938058 ? $3 : 0.0938058)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 30 using 1:2 with points pt 5 ps size lc rgb '#66A61E' notitle, \
      data index 31 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
