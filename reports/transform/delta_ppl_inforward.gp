# Change of perplexity against bits really written (in-forward)
# Redraw in this folder: gnuplot delta_ppl_inforward.gp
data = 'delta_ppl_inforward.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1400,681 enhanced font 'Arial,17' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 2800,1361 enhanced font 'DejaVu Sans,17' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'delta_ppl_inforward.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold Change of perplexity against bits really written (in-forward)}' at screen 0.5,0.96768 center font ',20'
  set label 2 '16 to 24 passages of 2048 + 64 scored tokens; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn; noise alone is above 0' at screen 0.5,0.92948 center font ',15' tc rgb '#444444' noenhanced
  set xrange [1.5:6.5]
  set yrange [0.279071:27.9837]
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
  set arrow from screen 0.06531,0.88835 to screen 0.08531,0.88835 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.07531,0.88835 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8:rule=published (q)' at screen 0.08959,0.88835 left noenhanced
  set arrow from screen 0.26341,0.88835 to screen 0.28341,0.88835 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.27341,0.88835 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'kivi (b)' at screen 0.28769,0.88835 left noenhanced
  set arrow from screen 0.36364,0.88835 to screen 0.38364,0.88835 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.37364,0.88835 point pt 15 ps size lc rgb '#66A61E'
  set label 'klt:profile=d0dd72b67ebaa761 (bits)' at screen 0.38792,0.88835 left noenhanced
  set arrow from screen 0.66714,0.88835 to screen 0.68714,0.88835 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.67714,0.88835 point pt 11 ps size lc rgb '#7570B3'
  set label 'q4_0' at screen 0.69142,0.88835 left noenhanced
  set arrow from screen 0.73725,0.88835 to screen 0.75725,0.88835 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.74725,0.88835 point pt 7 ps size lc rgb '#000000'
  set label 'ece8:center=mean (bits)' at screen 0.76154,0.88835 left noenhanced
  set arrow from screen 0.11778,0.84589 to screen 0.13778,0.84589 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.12778,0.84589 point pt 14 ps size lc rgb '#66A61E'
  set label 'klt:alloc=none,profile=f7e1ecac710ab345 (bits)' at screen 0.14206,0.84589 left noenhanced
  set arrow from screen 0.50409,0.84589 to screen 0.52409,0.84589 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.51409,0.84589 point pt 7 ps size lc rgb '#66A61E'
  set label 'klt:center=none,profile=f7e1ecac710ab345 (bits)' at screen 0.52838,0.84589 left noenhanced
  set arrow from screen 0.01496,0.80344 to screen 0.03496,0.80344 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.02496,0.80344 point pt 6 ps size lc rgb '#66A61E'
  set label 'klt:lattice=z,profile=f7e1ecac710ab345 (bits)' at screen 0.03925,0.80344 left noenhanced
  set arrow from screen 0.39375,0.80344 to screen 0.41375,0.80344 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.40375,0.80344 point pt 5 ps size lc rgb '#66A61E'
  set label 'klt:profile=37defaf2c186c48a (bits)' at screen 0.41804,0.80344 left noenhanced
  set arrow from screen 0.69725,0.80344 to screen 0.71725,0.80344 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.70725,0.80344 point pt 4 ps size lc rgb '#66A61E'
  set label 'klt:profile=f7e1ecac710ab345 (bits)' at screen 0.72154,0.80344 left noenhanced
  set arrow from screen 0.20436,0.76098 to screen 0.22436,0.76098 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.21436,0.76098 point pt 9 ps size lc rgb '#66A61E'
  set label 'klt:weight=none,alloc=none,profile=f7e1ecac710ab345 (bits)' at screen 0.22864,0.76098 left noenhanced
  set arrow from screen 0.68101,0.76098 to screen 0.70101,0.76098 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front' at screen 0.70530,0.76098 left noenhanced
  set xlabel 'real bits per value' noenhanced
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.68459; set bmargin at screen 0.10577
  set title 'gemma-3-270m-q4_k_m (gemma3-270m-hot)' noenhanced offset 0,-0.6
  set label 999 'mean |Δppl|, %' at screen 0.00971,0.39518 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 1 using 1:($3 > 0.279071 ? $3 : 0.279071):(0):($4 - ($3 > 0.279071 ? $3 : 0.279071)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 1 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 2 using 1:($3 > 0.279071 ? $3 : 0.279071):(0):($4 - ($3 > 0.279071 ? $3 : 0.279071)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 2 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 3 using 1:($3 > 0.279071 ? $3 : 0.279071):(0):($4 - ($3 > 0.279071 ? $3 : 0.279071)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 3 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 4 using 1:($3 > 0.279071 ? $3 : 0.279071):(0):($4 - ($3 > 0.279071 ? $3 : 0.279071)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 4 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 5 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.68459; set bmargin at screen 0.10577
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m-ladder)' noenhanced offset 0,-0.6
  unset label
  unset arrow
  set label 999 'mean |Δppl|, %' at screen 0.50971,0.39518 center rotate noenhanced
  plot data index 6 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 7 using 1:($3 > 0.279071 ? $3 : 0.279071):(0):($4 - ($3 > 0.279071 ? $3 : 0.279071)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 7 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 8 using 1:($3 > 0.279071 ? $3 : 0.279071):(0):($4 - ($3 > 0.279071 ? $3 : 0.279071)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 8 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 9 using 1:($3 > 0.279071 ? $3 : 0.279071):(0):($4 - ($3 > 0.279071 ? $3 : 0.279071)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 9 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 10 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 10 using 1:($3 > 0.279071 ? $3 : 0.279071):(0):($4 - ($3 > 0.279071 ? $3 : 0.279071)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 10 using 1:2 with points pt 7 ps size lc rgb '#66A61E' notitle, \
      data index 11 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 11 using 1:($3 > 0.279071 ? $3 : 0.279071):(0):($4 - ($3 > 0.279071 ? $3 : 0.279071)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 11 using 1:2 with points pt 6 ps size lc rgb '#66A61E' notitle, \
      data index 12 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 12 using 1:($3 > 0.279071 ? $3 : 0.279071):(0):($4 - ($3 > 0.279071 ? $3 : 0.279071)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 12 using 1:2 with points pt 5 ps size lc rgb '#66A61E' notitle, \
      data index 13 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 13 using 1:($3 > 0.279071 ? $3 : 0.279071):(0):($4 - ($3 > 0.279071 ? $3 : 0.279071)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 13 using 1:2 with points pt 4 ps size lc rgb '#66A61E' notitle, \
      data index 14 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 14 using 1:($3 > 0.279071 ? $3 : 0.279071):(0):($4 - ($3 > 0.279071 ? $3 : 0.279071)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 14 using 1:2 with points pt 9 ps size lc rgb '#66A61E' notitle, \
      data index 15 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
