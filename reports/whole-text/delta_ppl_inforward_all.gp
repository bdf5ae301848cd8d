# Change of perplexity against measured bits of the coded values (in-forward)
# Redraw in this folder: gnuplot delta_ppl_inforward_all.gp
data = 'delta_ppl_inforward_all.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1000,705 enhanced font 'Arial,15' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 2000,1410 enhanced font 'DejaVu Sans,15' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'delta_ppl_inforward_all.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold Change of perplexity against measured bits of the coded values (in-forward)}' at screen 0.5,0.96879 center font ',18'
  set label 2 '93 passages of 1536 + 512 scored tokens; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn; noise alone is above 0' at screen 0.5,0.93191 center font ',13' tc rgb '#444444' noenhanced
  set xrange [1.5:9]
  set yrange [0.0473369:8.65374]
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
  set arrow from screen 0.14325,0.89220 to screen 0.17125,0.89220 nohead lw 1.2 dt 1 lc rgb '#AA3377'
  set label '' at screen 0.15725,0.89220 point pt 13 ps size lc rgb '#AA3377'
  set label 'fp8' at screen 0.17725,0.89220 left noenhanced
  set arrow from screen 0.22715,0.89220 to screen 0.25515,0.89220 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.24115,0.89220 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8:rule=published (q)' at screen 0.26115,0.89220 left noenhanced
  set arrow from screen 0.47845,0.89220 to screen 0.50645,0.89220 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.49245,0.89220 point pt 7 ps size lc rgb '#000000'
  set label 'ece8:center=mean (bits)' at screen 0.51245,0.89220 left noenhanced
  set arrow from screen 0.74835,0.89220 to screen 0.77635,0.89220 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.76235,0.89220 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'kivi (b)' at screen 0.78235,0.89220 left noenhanced
  set arrow from screen 0.06895,0.85603 to screen 0.09695,0.85603 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.08295,0.85603 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=512 (bits)' at screen 0.10295,0.85603 left noenhanced
  set arrow from screen 0.61785,0.85603 to screen 0.64585,0.85603 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.63185,0.85603 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt (bits)' at screen 0.65185,0.85603 left noenhanced
  set arrow from screen 0.76685,0.85603 to screen 0.79485,0.85603 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.78085,0.85603 point pt 15 ps size lc rgb '#66A61E'
  set label 'q4_0:rotate=64' at screen 0.80085,0.85603 left noenhanced
  set arrow from screen 0.33410,0.81986 to screen 0.36210,0.81986 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.34810,0.81986 point pt 11 ps size lc rgb '#7570B3'
  set label 'q8_0:rotate=64' at screen 0.36810,0.81986 left noenhanced
  set arrow from screen 0.52030,0.81986 to screen 0.54830,0.81986 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front' at screen 0.55430,0.81986 left noenhanced
  set xlabel 'measured bits per value of the coded values' noenhanced
  set lmargin at screen 0.09000; set rmargin at screen 0.98000
  set tmargin at screen 0.74610; set bmargin at screen 0.10213
  set title 'SmolLM2-135M-Instruct.Q4_1' noenhanced offset 0,-0.6
  set label 999 'mean |Δppl|, %' at screen 0.01200,0.42411 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 1 using 1:($3 > 0.0473369 ? $3 : 0.0473369):(0):($4 - ($3 > 0.0473369 ? $3 : 0.0473369)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 1 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 2 using 1:($3 > 0.0473369 ? $3 : 0.0473369):(0):($4 - ($3 > 0.0473369 ? $3 : 0.0473369)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 2 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 3 using 1:($3 > 0.0473369 ? $3 : 0.0473369):(0):($4 - ($3 > 0.0473369 ? $3 : 0.0473369)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 3 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 4 using 1:($3 > 0.0473369 ? $3 : 0.0473369):(0):($4 - ($3 > 0.0473369 ? $3 : 0.0473369)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 4 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 5 using 1:($3 > 0.0473369 ? $3 : 0.0473369):(0):($4 - ($3 > 0.0473369 ? $3 : 0.0473369)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 5 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 6 using 1:($3 > 0.0473369 ? $3 : 0.0473369):(0):($4 - ($3 > 0.0473369 ? $3 : 0.0473369)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 6 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 7 using 1:($3 > 0.0473369 ? $3 : 0.0473369):(0):($4 - ($3 > 0.0473369 ? $3 : 0.0473369)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 7 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 8 using 1:($3 > 0.0473369 ? $3 : 0.0473369):(0):($4 - ($3 > 0.0473369 ? $3 : 0.0473369)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 8 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 9 using 1:2:3:4 with labels center font ',13' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
