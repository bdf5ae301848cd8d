# Change of perplexity against measured bits of the coded values (in-forward)
# Redraw in this folder: gnuplot delta_ppl_inforward.gp
data = 'delta_ppl_inforward.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1800,1219 enhanced font 'Arial,19' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 3600,2437 enhanced font 'DejaVu Sans,19' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'delta_ppl_inforward.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold Change of perplexity against measured bits of the coded values (in-forward)}' at screen 0.5,0.98195 center font ',22'
  set label 2 'passages; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn; noise alone is above 0' at screen 0.5,0.96061 center font ',17' tc rgb '#444444' noenhanced
  set xrange [1.5:7.5]
  set yrange [0.0938058:1091.85]
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
  set arrow from screen 0.11747,0.93763 to screen 0.13303,0.93763 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.12525,0.93763 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8 (q)' at screen 0.13636,0.93763 left noenhanced
  set arrow from screen 0.18785,0.93763 to screen 0.20341,0.93763 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.19563,0.93763 point pt 7 ps size lc rgb '#000000'
  set label 'ece8:center=mean (bits)' at screen 0.20674,0.93763 left noenhanced
  set arrow from screen 0.36948,0.93763 to screen 0.38504,0.93763 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.37726,0.93763 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'kivi (b)' at screen 0.38837,0.93763 left noenhanced
  set arrow from screen 0.45295,0.93763 to screen 0.46851,0.93763 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.46073,0.93763 point pt 15 ps size lc rgb '#66A61E'
  set label 'plan:name=gemma-e8.g1 (bits)' at screen 0.47184,0.93763 left noenhanced
  set arrow from screen 0.66731,0.93763 to screen 0.68286,0.93763 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.67508,0.93763 point pt 14 ps size lc rgb '#66A61E'
  set label 'plan:name=gemma-ece8.g1 (bits)' at screen 0.68619,0.93763 left noenhanced
  set arrow from screen 0.11667,0.91113 to screen 0.13222,0.91113 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.12444,0.91113 point pt 7 ps size lc rgb '#66A61E'
  set label 'plan:name=gemma-kivi.g1 (bits)' at screen 0.13556,0.91113 left noenhanced
  set arrow from screen 0.34411,0.91113 to screen 0.35967,0.91113 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.35189,0.91113 point pt 6 ps size lc rgb '#66A61E'
  set label 'plan:name=e8.g1 (bits)' at screen 0.36300,0.91113 left noenhanced
  set arrow from screen 0.51920,0.91113 to screen 0.53476,0.91113 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.52698,0.91113 point pt 5 ps size lc rgb '#66A61E'
  set label 'plan:name=ece8.g1 (bits)' at screen 0.53809,0.91113 left noenhanced
  set arrow from screen 0.70738,0.91113 to screen 0.72293,0.91113 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.71516,0.91113 point pt 4 ps size lc rgb '#66A61E'
  set label 'plan:name=kivi.g1 (bits)' at screen 0.72627,0.91113 left noenhanced
  set arrow from screen 0.36621,0.88462 to screen 0.38177,0.88462 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front of these 9 of 31 families' at screen 0.38510,0.88462 left noenhanced
  set xlabel 'measured bits per value of the coded values' noenhanced
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.84195; set bmargin at screen 0.51863
  set title 'gemma (gemma-development, development), 8 passages' noenhanced offset 0,-0.6 font ',15'
  set label 999 'mean |Δppl|, %' at screen 0.00844,0.68029 center rotate noenhanced
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
      data index 5 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 6 using 1:($3 > 0.0938058 ? $3 : 0.0938058):(0):($4 - ($3 > 0.0938058 ? $3 : 0.0938058)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 6 using 1:2 with points pt 7 ps size lc rgb '#66A61E' notitle, \
      data index 7 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.39311; set rmargin at screen 0.65556
  set tmargin at screen 0.84195; set bmargin at screen 0.51863
  set title 'gemma (gemma-held-out, held-out), 14 passages' noenhanced offset 0,-0.6 font ',16'
  unset label
  unset arrow
  set label 999 'mean |Δppl|, %' at screen 0.34178,0.68029 center rotate noenhanced
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
      data index 13 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 14 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 14 using 1:($3 > 0.0938058 ? $3 : 0.0938058):(0):($4 - ($3 > 0.0938058 ? $3 : 0.0938058)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 14 using 1:2 with points pt 7 ps size lc rgb '#66A61E' notitle, \
      data index 15 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.72644; set rmargin at screen 0.98889
  set tmargin at screen 0.84195; set bmargin at screen 0.51863
  set title 'nano (nano-development, development), 16 passages' noenhanced offset 0,-0.6 font ',15'
  set label 999 'mean |Δppl|, %' at screen 0.67511,0.68029 center rotate noenhanced
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
      data index 20 using 1:2 with points pt 6 ps size lc rgb '#66A61E' notitle, \
      data index 21 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 21 using 1:($3 > 0.0938058 ? $3 : 0.0938058):(0):($4 - ($3 > 0.0938058 ? $3 : 0.0938058)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 21 using 1:2 with points pt 5 ps size lc rgb '#66A61E' notitle, \
      data index 22 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 22 using 1:($3 > 0.0938058 ? $3 : 0.0938058):(0):($4 - ($3 > 0.0938058 ? $3 : 0.0938058)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 22 using 1:2 with points pt 4 ps size lc rgb '#66A61E' notitle, \
      data index 23 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.40702; set bmargin at screen 0.08370
  set title 'nano (nano-held-out, held-out), 19 passages' noenhanced offset 0,-0.6 font ',17'
  set label 999 'mean |Δppl|, %' at screen 0.00844,0.24536 center rotate noenhanced
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
      data index 28 using 1:2 with points pt 6 ps size lc rgb '#66A61E' notitle, \
      data index 29 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 29 using 1:($3 > 0.0938058 ? $3 : 0.0938058):(0):($4 - ($3 > 0.0938058 ? $3 : 0.0938058)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 29 using 1:2 with points pt 5 ps size lc rgb '#66A61E' notitle, \
      data index 30 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 30 using 1:($3 > 0.0938058 ? $3 : 0.0938058):(0):($4 - ($3 > 0.0938058 ? $3 : 0.0938058)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 30 using 1:2 with points pt 4 ps size lc rgb '#66A61E' notitle, \
      data index 31 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.39311; set rmargin at screen 0.65556
  set tmargin at screen 0.40702; set bmargin at screen 0.08370
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-development, development), 8 passages' noenhanced offset 0,-0.6 font ',10'
  set label 999 'mean |Δppl|, %' at screen 0.34178,0.24536 center rotate noenhanced
  plot data index 32 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 33 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 33 using 1:($3 > 0.0938058 ? $3 : 0.0938058):(0):($4 - ($3 > 0.0938058 ? $3 : 0.0938058)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 33 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 34 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 34 using 1:($3 > 0.0938058 ? $3 : 0.0938058):(0):($4 - ($3 > 0.0938058 ? $3 : 0.0938058)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 34 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 35 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 35 using 1:($3 > 0.0938058 ? $3 : 0.0938058):(0):($4 - ($3 > 0.0938058 ? $3 : 0.0938058)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 35 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 36 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 36 using 1:($3 > 0.0938058 ? $3 : 0.0938058):(0):($4 - ($3 > 0.0938058 ? $3 : 0.0938058)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 36 using 1:2 with points pt 6 ps size lc rgb '#66A61E' notitle, \
      data index 37 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 37 using 1:($3 > 0.0938058 ? $3 : 0.0938058):(0):($4 - ($3 > 0.0938058 ? $3 : 0.0938058)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 37 using 1:2 with points pt 5 ps size lc rgb '#66A61E' notitle, \
      data index 38 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 38 using 1:($3 > 0.0938058 ? $3 : 0.0938058):(0):($4 - ($3 > 0.0938058 ? $3 : 0.0938058)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 38 using 1:2 with points pt 4 ps size lc rgb '#66A61E' notitle, \
      data index 39 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.72644; set rmargin at screen 0.98889
  set tmargin at screen 0.40702; set bmargin at screen 0.08370
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-held-out, held-out), 16 passages' noenhanced offset 0,-0.6 font ',11'
  set label 999 'mean |Δppl|, %' at screen 0.67511,0.24536 center rotate noenhanced
  plot data index 40 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 41 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 41 using 1:($3 > 0.0938058 ? $3 : 0.0938058):(0):($4 - ($3 > 0.0938058 ? $3 : 0.0938058)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 41 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 42 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 42 using 1:($3 > 0.0938058 ? $3 : 0.0938058):(0):($4 - ($3 > 0.0938058 ? $3 : 0.0938058)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 42 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 43 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 43 using 1:($3 > 0.0938058 ? $3 : 0.0938058):(0):($4 - ($3 > 0.0938058 ? $3 : 0.0938058)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 43 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 44 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 44 using 1:($3 > 0.0938058 ? $3 : 0.0938058):(0):($4 - ($3 > 0.0938058 ? $3 : 0.0938058)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 44 using 1:2 with points pt 6 ps size lc rgb '#66A61E' notitle, \
      data index 45 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 45 using 1:($3 > 0.0938058 ? $3 : 0.0938058):(0):($4 - ($3 > 0.0938058 ? $3 : 0.0938058)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 45 using 1:2 with points pt 5 ps size lc rgb '#66A61E' notitle, \
      data index 46 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 46 using 1:($3 > 0.0938058 ? $3 : 0.0938058):(0):($4 - ($3 > 0.0938058 ? $3 : 0.0938058)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 46 using 1:2 with points pt 4 ps size lc rgb '#66A61E' notitle, \
      data index 47 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
