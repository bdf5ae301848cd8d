# Distance to the Shannon bound of white Gaussian data against measured bits
# Redraw in this folder: gnuplot gap.gp
data = 'gap.dat'
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
  set output 'gap.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold Distance to the Shannon bound of white Gaussian data against measured bits}' at screen 0.5,0.96879 center font ',18'
  set label 2 'headers, scales and tables included; in the tables only: bf16, exact copies, and above 10 dB: fp8' at screen 0.5,0.93191 center font ',13' tc rgb '#444444' noenhanced
  set xrange [1.5:9]
  set yrange [-0.497795:10.4537]
  set format y '%g'
  set xtics 1 nomirror
  set ytics nomirror
  set mxtics 2
  set mytics 2
  set border 3 lc rgb '#444444'
  set tics textcolor rgb '#222222'
  set grid xtics ytics lt 1 lw 0.6 lc rgb '#d9d9d9'
  unset key
  set arrow from screen 0.09210,0.89220 to screen 0.12010,0.89220 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.10610,0.89220 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8:rule=published (q)' at screen 0.12610,0.89220 left noenhanced
  set arrow from screen 0.34340,0.89220 to screen 0.37140,0.89220 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.35740,0.89220 point pt 7 ps size lc rgb '#000000'
  set label 'ece8:center=mean (bits)' at screen 0.37740,0.89220 left noenhanced
  set arrow from screen 0.61330,0.89220 to screen 0.64130,0.89220 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.62730,0.89220 point pt 15 ps size lc rgb '#66A61E'
  set label 'kivi (b)' at screen 0.64730,0.89220 left noenhanced
  set arrow from screen 0.74370,0.89220 to screen 0.77170,0.89220 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.75770,0.89220 point pt 11 ps size lc rgb '#7570B3'
  set label 'q4_0:rotate=64' at screen 0.77770,0.89220 left noenhanced
  set arrow from screen 0.18035,0.85603 to screen 0.20835,0.85603 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.19435,0.85603 point pt 15 ps size lc rgb '#CC79A7'
  set label 'q8_0:rotate=64' at screen 0.21435,0.85603 left noenhanced
  set arrow from screen 0.36655,0.85603 to screen 0.39455,0.85603 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.38055,0.85603 point pt 11 ps size lc rgb '#777777'
  set label 'turboquant (b)' at screen 0.40055,0.85603 left noenhanced
  set arrow from screen 0.55275,0.85603 to screen 0.58075,0.85603 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.56675,0.85603 point pt 15 ps size lc rgb '#8C6D1F'
  set label 'int8' at screen 0.58675,0.85603 left noenhanced
  set arrow from screen 0.64595,0.85603 to screen 0.67395,0.85603 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.65995,0.85603 point pt 11 ps size lc rgb '#66A61E'
  set label 'int4' at screen 0.67995,0.85603 left noenhanced
  set arrow from screen 0.73915,0.85603 to screen 0.76715,0.85603 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.75315,0.85603 point pt 15 ps size lc rgb '#7570B3'
  set label 'nvfp4' at screen 0.77315,0.85603 left noenhanced
  set arrow from screen 0.34815,0.81986 to screen 0.37615,0.81986 nohead lw 1.5 dt 2 lc rgb '#555555'
  set label 'Shannon bound, white Gaussian' at screen 0.38215,0.81986 left noenhanced
  set xlabel 'measured bits per value' noenhanced
  set lmargin at screen 0.09000; set rmargin at screen 0.98000
  set tmargin at screen 0.74610; set bmargin at screen 0.10213
  set title 'Gaussian' noenhanced offset 0,-0.6
  set label 999 'gap, dB' at screen 0.01200,0.42411 center rotate noenhanced
  plot data index 0 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 1 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 1 using 1:($3 > -0.497795 ? $3 : -0.497795):(0):($4 - ($3 > -0.497795 ? $3 : -0.497795)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 1 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 2 using 1:($3 > -0.497795 ? $3 : -0.497795):(0):($4 - ($3 > -0.497795 ? $3 : -0.497795)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 2 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 3 using 1:($3 > -0.497795 ? $3 : -0.497795):(0):($4 - ($3 > -0.497795 ? $3 : -0.497795)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 3 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 4 using 1:($3 > -0.497795 ? $3 : -0.497795):(0):($4 - ($3 > -0.497795 ? $3 : -0.497795)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 4 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 5 using 1:($3 > -0.497795 ? $3 : -0.497795):(0):($4 - ($3 > -0.497795 ? $3 : -0.497795)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 5 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 6 using 1:($3 > -0.497795 ? $3 : -0.497795):(0):($4 - ($3 > -0.497795 ? $3 : -0.497795)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 6 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 7 using 1:($3 > -0.497795 ? $3 : -0.497795):(0):($4 - ($3 > -0.497795 ? $3 : -0.497795)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 7 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 8 using 1:($3 > -0.497795 ? $3 : -0.497795):(0):($4 - ($3 > -0.497795 ? $3 : -0.497795)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 8 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 9 using 1:($3 > -0.497795 ? $3 : -0.497795):(0):($4 - ($3 > -0.497795 ? $3 : -0.497795)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 9 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 10 using 1:2:3:4 with labels center font ',13' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
