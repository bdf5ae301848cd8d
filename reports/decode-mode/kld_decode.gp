# KL divergence from the bf16 cache against measured bits of the whole cache (decode)
# Redraw in this folder: gnuplot kld_decode.gp
data = 'kld_decode.dat'
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
  set output 'kld_decode.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold KL divergence from the bf16 cache against measured bits of the whole cache (decode)}' at screen 0.5,0.96762 center font ',18'
  set label 2 '8 passages of 1028 + 64 scored tokens; bars: 95 % t intervals; identity (bf16) is not drawn; profiles not counted' at screen 0.5,0.92936 center font ',13' tc rgb '#444444' noenhanced
  set xrange [2.5:7]
  set yrange [0.000332333:0.0510646]
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
  set arrow from screen 0.03620,0.88815 to screen 0.06420,0.88815 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.05020,0.88815 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8 (q)' at screen 0.07020,0.88815 left noenhanced
  set arrow from screen 0.14800,0.88815 to screen 0.17600,0.88815 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.16200,0.88815 point pt 7 ps size lc rgb '#000000'
  set label 'ece8:center=mean (bits)' at screen 0.18200,0.88815 left noenhanced
  set arrow from screen 0.41790,0.88815 to screen 0.44590,0.88815 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.43190,0.88815 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'kivi (b)' at screen 0.45190,0.88815 left noenhanced
  set arrow from screen 0.54830,0.88815 to screen 0.57630,0.88815 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.56230,0.88815 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt, layers (bits)' at screen 0.58230,0.88815 left noenhanced
  set arrow from screen 0.77170,0.88815 to screen 0.79970,0.88815 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.78570,0.88815 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt, heads (bits)' at screen 0.80570,0.88815 left noenhanced
  set arrow from screen 0.09685,0.85063 to screen 0.12485,0.85063 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.11085,0.85063 point pt 15 ps size lc rgb '#66A61E'
  set label 'q4_0' at screen 0.13085,0.85063 left noenhanced
  set arrow from screen 0.19005,0.85063 to screen 0.21805,0.85063 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front of these 6 of 9 families' at screen 0.22405,0.85063 left noenhanced
  set arrow from screen 0.59015,0.85063 to screen 0.61815,0.85063 nohead lw 1.5 dt 2 lc rgb '#555555'
  set label 'nothing coded: bf16 arithmetic' at screen 0.62415,0.85063 left noenhanced
  set xlabel 'measured bits per value of the whole cache' noenhanced
  set lmargin at screen 0.09000; set rmargin at screen 0.98000
  set tmargin at screen 0.77410; set bmargin at screen 0.10596
  set title 'SmolLM2-135M-Instruct.Q4_1, held-out' noenhanced offset 0,-0.6
  set label 999 'mean KL divergence, nats' at screen 0.01200,0.44003 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 2 using 1:($3 > 0.000332333 ? $3 : 0.000332333):(0):($4 - ($3 > 0.000332333 ? $3 : 0.000332333)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 2 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 3 using 1:($3 > 0.000332333 ? $3 : 0.000332333):(0):($4 - ($3 > 0.000332333 ? $3 : 0.000332333)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 3 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 4 using 1:($3 > 0.000332333 ? $3 : 0.000332333):(0):($4 - ($3 > 0.000332333 ? $3 : 0.000332333)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 4 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 5 using 1:($3 > 0.000332333 ? $3 : 0.000332333):(0):($4 - ($3 > 0.000332333 ? $3 : 0.000332333)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 5 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 6 using 1:($3 > 0.000332333 ? $3 : 0.000332333):(0):($4 - ($3 > 0.000332333 ? $3 : 0.000332333)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 6 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 7 using 1:($3 > 0.000332333 ? $3 : 0.000332333):(0):($4 - ($3 > 0.000332333 ? $3 : 0.000332333)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 7 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 8 using 1:2:3:4 with labels center font ',13' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
