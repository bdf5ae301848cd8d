# Change of perplexity against measured bits of the coded values (in-forward)
# Redraw in this folder: gnuplot delta_ppl_inforward_all.gp
data = 'delta_ppl_inforward_all.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1800,1348 enhanced font 'Arial,19' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 3600,2696 enhanced font 'DejaVu Sans,19' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'delta_ppl_inforward_all.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold Change of perplexity against measured bits of the coded values (in-forward)}' at screen 0.5,0.98368 center font ',22'
  set label 2 'passages; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn; noise alone is above 0' at screen 0.5,0.96439 center font ',17' tc rgb '#444444' noenhanced
  set xrange [0.5:7.5]
  set yrange [0.0910582:1091.85]
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
  set arrow from screen 0.07247,0.94361 to screen 0.08802,0.94361 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.08024,0.94361 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8 (q)' at screen 0.09136,0.94361 left noenhanced
  set arrow from screen 0.14284,0.94361 to screen 0.15840,0.94361 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.15062,0.94361 point pt 7 ps size lc rgb '#000000'
  set label 'ece8:center=mean (bits)' at screen 0.16173,0.94361 left noenhanced
  set arrow from screen 0.32448,0.94361 to screen 0.34003,0.94361 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.33226,0.94361 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'kivi (b)' at screen 0.34337,0.94361 left noenhanced
  set arrow from screen 0.40794,0.94361 to screen 0.42350,0.94361 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.41572,0.94361 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt (bits)' at screen 0.42683,0.94361 left noenhanced
  set arrow from screen 0.50450,0.94361 to screen 0.52006,0.94361 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.51228,0.94361 point pt 15 ps size lc rgb '#66A61E'
  set label 'plan:name=gemma-e8.g1 (bits)' at screen 0.52339,0.94361 left noenhanced
  set arrow from screen 0.71886,0.94361 to screen 0.73441,0.94361 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.72663,0.94361 point pt 9 ps size lc rgb '#66A61E'
  set label 'plan:name=gemma-e8.g18 (bits)' at screen 0.73774,0.94361 left noenhanced
  set arrow from screen 0.05449,0.91965 to screen 0.07005,0.91965 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.06227,0.91965 point pt 8 ps size lc rgb '#66A61E'
  set label 'plan:name=gemma-e8.g3 (bits)' at screen 0.07338,0.91965 left noenhanced
  set arrow from screen 0.26885,0.91965 to screen 0.28441,0.91965 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.27663,0.91965 point pt 14 ps size lc rgb '#66A61E'
  set label 'plan:name=gemma-ece8.g1 (bits)' at screen 0.28774,0.91965 left noenhanced
  set arrow from screen 0.49629,0.91965 to screen 0.51185,0.91965 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.50407,0.91965 point pt 13 ps size lc rgb '#66A61E'
  set label 'plan:name=gemma-ece8.g18 (bits)' at screen 0.51518,0.91965 left noenhanced
  set arrow from screen 0.73028,0.91965 to screen 0.74584,0.91965 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.73806,0.91965 point pt 12 ps size lc rgb '#66A61E'
  set label 'plan:name=gemma-ece8.g3 (bits)' at screen 0.74917,0.91965 left noenhanced
  set arrow from screen 0.05122,0.89568 to screen 0.06678,0.89568 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.05900,0.89568 point pt 7 ps size lc rgb '#66A61E'
  set label 'plan:name=gemma-kivi.g1 (bits)' at screen 0.07011,0.89568 left noenhanced
  set arrow from screen 0.27867,0.89568 to screen 0.29422,0.89568 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.28644,0.89568 point pt 11 ps size lc rgb '#66A61E'
  set label 'plan:name=gemma-kivi.g18 (bits)' at screen 0.29756,0.89568 left noenhanced
  set arrow from screen 0.51266,0.89568 to screen 0.52821,0.89568 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.52043,0.89568 point pt 10 ps size lc rgb '#66A61E'
  set label 'plan:name=gemma-kivi.g3 (bits)' at screen 0.53154,0.89568 left noenhanced
  set arrow from screen 0.74010,0.89568 to screen 0.75566,0.89568 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.74788,0.89568 point pt 15 ps size lc rgb '#66A61E'
  set label 'plan:name=gemma-klt.g1 (bits)' at screen 0.75899,0.89568 left noenhanced
  set arrow from screen 0.03239,0.87172 to screen 0.04795,0.87172 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.04017,0.87172 point pt 14 ps size lc rgb '#66A61E'
  set label 'plan:name=gemma-klt.g3 (bits)' at screen 0.05128,0.87172 left noenhanced
  set arrow from screen 0.25329,0.87172 to screen 0.26885,0.87172 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.26107,0.87172 point pt 6 ps size lc rgb '#66A61E'
  set label 'plan:name=e8.g1 (bits)' at screen 0.27218,0.87172 left noenhanced
  set arrow from screen 0.42838,0.87172 to screen 0.44394,0.87172 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.43616,0.87172 point pt 7 ps size lc rgb '#66A61E'
  set label 'plan:name=e8.g8 (bits)' at screen 0.44727,0.87172 left noenhanced
  set arrow from screen 0.60347,0.87172 to screen 0.61903,0.87172 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.61125,0.87172 point pt 5 ps size lc rgb '#66A61E'
  set label 'plan:name=ece8.g1 (bits)' at screen 0.62236,0.87172 left noenhanced
  set arrow from screen 0.79165,0.87172 to screen 0.80721,0.87172 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.79943,0.87172 point pt 6 ps size lc rgb '#66A61E'
  set label 'plan:name=ece8.g8 (bits)' at screen 0.81054,0.87172 left noenhanced
  set arrow from screen 0.04876,0.84775 to screen 0.06431,0.84775 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.05653,0.84775 point pt 4 ps size lc rgb '#66A61E'
  set label 'plan:name=kivi.g1 (bits)' at screen 0.06764,0.84775 left noenhanced
  set arrow from screen 0.23693,0.84775 to screen 0.25249,0.84775 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.24471,0.84775 point pt 5 ps size lc rgb '#66A61E'
  set label 'plan:name=kivi.g8 (bits)' at screen 0.25582,0.84775 left noenhanced
  set arrow from screen 0.42511,0.84775 to screen 0.44067,0.84775 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.43289,0.84775 point pt 4 ps size lc rgb '#66A61E'
  set label 'plan:name=klt.g1 (bits)' at screen 0.44400,0.84775 left noenhanced
  set arrow from screen 0.60674,0.84775 to screen 0.62230,0.84775 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.61452,0.84775 point pt 9 ps size lc rgb '#66A61E'
  set label 'plan:name=klt.g8 (bits)' at screen 0.62563,0.84775 left noenhanced
  set arrow from screen 0.78838,0.84775 to screen 0.80393,0.84775 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.79616,0.84775 point pt 8 ps size lc rgb '#66A61E'
  set label 'plan:name=e8.g3 (bits)' at screen 0.80727,0.84775 left noenhanced
  set arrow from screen 0.03239,0.82379 to screen 0.04795,0.82379 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.04017,0.82379 point pt 13 ps size lc rgb '#66A61E'
  set label 'plan:name=e8.g30 (bits)' at screen 0.05128,0.82379 left noenhanced
  set arrow from screen 0.21403,0.82379 to screen 0.22958,0.82379 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.22181,0.82379 point pt 12 ps size lc rgb '#66A61E'
  set label 'plan:name=ece8.g3 (bits)' at screen 0.23292,0.82379 left noenhanced
  set arrow from screen 0.40221,0.82379 to screen 0.41776,0.82379 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.40998,0.82379 point pt 11 ps size lc rgb '#66A61E'
  set label 'plan:name=ece8.g30 (bits)' at screen 0.42109,0.82379 left noenhanced
  set arrow from screen 0.59693,0.82379 to screen 0.61248,0.82379 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.60471,0.82379 point pt 10 ps size lc rgb '#66A61E'
  set label 'plan:name=kivi.g3 (bits)' at screen 0.61582,0.82379 left noenhanced
  set arrow from screen 0.78511,0.82379 to screen 0.80066,0.82379 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.79288,0.82379 point pt 15 ps size lc rgb '#66A61E'
  set label 'plan:name=kivi.g30 (bits)' at screen 0.80399,0.82379 left noenhanced
  set arrow from screen 0.26638,0.79982 to screen 0.28194,0.79982 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.27416,0.79982 point pt 14 ps size lc rgb '#66A61E'
  set label 'plan:name=klt.g3 (bits)' at screen 0.28527,0.79982 left noenhanced
  set arrow from screen 0.44802,0.79982 to screen 0.46357,0.79982 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.45579,0.79982 point pt 7 ps size lc rgb '#66A61E'
  set label 'plan:name=klt.g30 (bits)' at screen 0.46691,0.79982 left noenhanced
  set arrow from screen 0.63619,0.79982 to screen 0.65175,0.79982 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front' at screen 0.65508,0.79982 left noenhanced
  set xlabel 'measured bits per value of the coded values' noenhanced
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.76124; set bmargin at screen 0.46891
  set title 'gemma (gemma-development, development), 8 passages' noenhanced offset 0,-0.6 font ',15'
  set label 999 'mean |Δppl|, %' at screen 0.00844,0.61508 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 1 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 1 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 2 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 2 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 3 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 3 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 4 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 4 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 5 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 5 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 6 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 6 using 1:2 with points pt 9 ps size lc rgb '#66A61E' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 7 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 7 using 1:2 with points pt 8 ps size lc rgb '#66A61E' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 8 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 8 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 9 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 9 using 1:2 with points pt 13 ps size lc rgb '#66A61E' notitle, \
      data index 10 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 10 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 10 using 1:2 with points pt 12 ps size lc rgb '#66A61E' notitle, \
      data index 11 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 11 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 11 using 1:2 with points pt 7 ps size lc rgb '#66A61E' notitle, \
      data index 12 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 12 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 12 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 13 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 13 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 13 using 1:2 with points pt 10 ps size lc rgb '#66A61E' notitle, \
      data index 14 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 14 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 14 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 15 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 15 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 15 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 16 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.39311; set rmargin at screen 0.65556
  set tmargin at screen 0.76124; set bmargin at screen 0.46891
  set title 'gemma (gemma-held-out, held-out), 14 passages' noenhanced offset 0,-0.6 font ',16'
  unset label
  unset arrow
  set label 999 'mean |Δppl|, %' at screen 0.34178,0.61508 center rotate noenhanced
  plot data index 17 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 18 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 18 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 18 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 19 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 19 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 19 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 20 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 20 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 20 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 21 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 21 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 21 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 22 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 22 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 22 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 23 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 23 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 23 using 1:2 with points pt 9 ps size lc rgb '#66A61E' notitle, \
      data index 24 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 24 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 24 using 1:2 with points pt 8 ps size lc rgb '#66A61E' notitle, \
      data index 25 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 25 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 25 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 26 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 26 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 26 using 1:2 with points pt 13 ps size lc rgb '#66A61E' notitle, \
      data index 27 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 27 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 27 using 1:2 with points pt 12 ps size lc rgb '#66A61E' notitle, \
      data index 28 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 28 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 28 using 1:2 with points pt 7 ps size lc rgb '#66A61E' notitle, \
      data index 29 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 29 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 29 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 30 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 30 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 30 using 1:2 with points pt 10 ps size lc rgb '#66A61E' notitle, \
      data index 31 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 31 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 31 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 32 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 32 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 32 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 33 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.72644; set rmargin at screen 0.98889
  set tmargin at screen 0.76124; set bmargin at screen 0.46891
  set title 'nano (nano-development, development), 16 passages' noenhanced offset 0,-0.6 font ',15'
  set label 999 'mean |Δppl|, %' at screen 0.67511,0.61508 center rotate noenhanced
  plot data index 34 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 35 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 35 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 35 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 36 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 36 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 36 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 37 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 37 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 37 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 38 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 38 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 38 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 39 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 39 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 39 using 1:2 with points pt 6 ps size lc rgb '#66A61E' notitle, \
      data index 40 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 40 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 40 using 1:2 with points pt 7 ps size lc rgb '#66A61E' notitle, \
      data index 41 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 41 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 41 using 1:2 with points pt 5 ps size lc rgb '#66A61E' notitle, \
      data index 42 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 42 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 42 using 1:2 with points pt 6 ps size lc rgb '#66A61E' notitle, \
      data index 43 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 43 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 43 using 1:2 with points pt 4 ps size lc rgb '#66A61E' notitle, \
      data index 44 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 44 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 44 using 1:2 with points pt 5 ps size lc rgb '#66A61E' notitle, \
      data index 45 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 45 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 45 using 1:2 with points pt 4 ps size lc rgb '#66A61E' notitle, \
      data index 46 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 46 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 46 using 1:2 with points pt 9 ps size lc rgb '#66A61E' notitle, \
      data index 47 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.36801; set bmargin at screen 0.07568
  set title 'nano (nano-held-out, held-out), 19 passages' noenhanced offset 0,-0.6 font ',17'
  set label 999 'mean |Δppl|, %' at screen 0.00844,0.22184 center rotate noenhanced
  plot data index 48 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 49 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 49 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 49 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 50 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 50 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 50 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 51 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 51 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 51 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 52 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 52 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 52 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 53 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 53 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 53 using 1:2 with points pt 6 ps size lc rgb '#66A61E' notitle, \
      data index 54 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 54 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 54 using 1:2 with points pt 7 ps size lc rgb '#66A61E' notitle, \
      data index 55 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 55 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 55 using 1:2 with points pt 5 ps size lc rgb '#66A61E' notitle, \
      data index 56 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 56 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 56 using 1:2 with points pt 6 ps size lc rgb '#66A61E' notitle, \
      data index 57 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 57 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 57 using 1:2 with points pt 4 ps size lc rgb '#66A61E' notitle, \
      data index 58 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 58 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 58 using 1:2 with points pt 5 ps size lc rgb '#66A61E' notitle, \
      data index 59 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 59 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 59 using 1:2 with points pt 4 ps size lc rgb '#66A61E' notitle, \
      data index 60 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 60 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 60 using 1:2 with points pt 9 ps size lc rgb '#66A61E' notitle, \
      data index 61 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.39311; set rmargin at screen 0.65556
  set tmargin at screen 0.36801; set bmargin at screen 0.07568
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-development, development), 8 passages' noenhanced offset 0,-0.6 font ',10'
  set label 999 'mean |Δppl|, %' at screen 0.34178,0.22184 center rotate noenhanced
  plot data index 62 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 63 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 63 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 63 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 64 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 64 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 64 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 65 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 65 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 65 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 66 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 66 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 66 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 67 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 67 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 67 using 1:2 with points pt 6 ps size lc rgb '#66A61E' notitle, \
      data index 68 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 68 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 68 using 1:2 with points pt 8 ps size lc rgb '#66A61E' notitle, \
      data index 69 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 69 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 69 using 1:2 with points pt 13 ps size lc rgb '#66A61E' notitle, \
      data index 70 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 70 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 70 using 1:2 with points pt 5 ps size lc rgb '#66A61E' notitle, \
      data index 71 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 71 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 71 using 1:2 with points pt 12 ps size lc rgb '#66A61E' notitle, \
      data index 72 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 72 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 72 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 73 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 73 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 73 using 1:2 with points pt 4 ps size lc rgb '#66A61E' notitle, \
      data index 74 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 74 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 74 using 1:2 with points pt 10 ps size lc rgb '#66A61E' notitle, \
      data index 75 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 75 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 75 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 76 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 76 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 76 using 1:2 with points pt 4 ps size lc rgb '#66A61E' notitle, \
      data index 77 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 77 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 77 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 78 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 78 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 78 using 1:2 with points pt 7 ps size lc rgb '#66A61E' notitle, \
      data index 79 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.72644; set rmargin at screen 0.98889
  set tmargin at screen 0.36801; set bmargin at screen 0.07568
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-held-out, held-out), 16 passages' noenhanced offset 0,-0.6 font ',11'
  set label 999 'mean |Δppl|, %' at screen 0.67511,0.22184 center rotate noenhanced
  plot data index 80 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 81 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 81 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 81 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 82 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 82 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 82 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 83 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 83 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 83 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 84 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 84 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 84 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 85 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 85 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 85 using 1:2 with points pt 6 ps size lc rgb '#66A61E' notitle, \
      data index 86 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 86 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 86 using 1:2 with points pt 8 ps size lc rgb '#66A61E' notitle, \
      data index 87 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 87 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 87 using 1:2 with points pt 13 ps size lc rgb '#66A61E' notitle, \
      data index 88 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 88 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 88 using 1:2 with points pt 5 ps size lc rgb '#66A61E' notitle, \
      data index 89 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 89 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 89 using 1:2 with points pt 12 ps size lc rgb '#66A61E' notitle, \
      data index 90 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 90 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 90 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 91 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 91 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 91 using 1:2 with points pt 4 ps size lc rgb '#66A61E' notitle, \
      data index 92 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 92 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 92 using 1:2 with points pt 10 ps size lc rgb '#66A61E' notitle, \
      data index 93 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 93 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 93 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 94 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 94 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 94 using 1:2 with points pt 4 ps size lc rgb '#66A61E' notitle, \
      data index 95 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 95 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 95 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 96 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 96 using 1:($3 > 0.0910582 ? $3 : 0.0910582):(0):($4 - ($3 > 0.0910582 ? $3 : 0.0910582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 96 using 1:2 with points pt 7 ps size lc rgb '#66A61E' notitle, \
      data index 97 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
