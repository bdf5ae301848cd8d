# Change of perplexity against measured bits of the whole cache (in-forward)
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
  set label 1 '{/:Bold Change of perplexity against measured bits of the whole cache (in-forward)}' at screen 0.5,0.96879 center font ',18'
  set label 2 '8 passages of 1028 + 64 scored tokens; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn; noise alone is above 0' at screen 0.5,0.93191 center font ',13' tc rgb '#444444' noenhanced
  set xrange [2.5:9]
  set yrange [0.0538242:22.7212]
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
  set arrow from screen 0.15710,0.89220 to screen 0.18510,0.89220 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.17110,0.89220 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8 (q)' at screen 0.19110,0.89220 left noenhanced
  set arrow from screen 0.26890,0.89220 to screen 0.29690,0.89220 nohead lw 1.2 dt 1 lc rgb '#009E73'
  set label '' at screen 0.28290,0.89220 point pt 9 ps size lc rgb '#009E73'
  set label 'tq (b)' at screen 0.30290,0.89220 left noenhanced
  set arrow from screen 0.38070,0.89220 to screen 0.40870,0.89220 nohead lw 1.2 dt 1 lc rgb '#AA3377'
  set label '' at screen 0.39470,0.89220 point pt 13 ps size lc rgb '#AA3377'
  set label 'fp8' at screen 0.41470,0.89220 left noenhanced
  set arrow from screen 0.46460,0.89220 to screen 0.49260,0.89220 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.47860,0.89220 point pt 7 ps size lc rgb '#000000'
  set label 'ece8:center=mean (bits)' at screen 0.49860,0.89220 left noenhanced
  set arrow from screen 0.73450,0.89220 to screen 0.76250,0.89220 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.74850,0.89220 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'kivi (b)' at screen 0.76850,0.89220 left noenhanced
  set arrow from screen 0.02700,0.85603 to screen 0.05500,0.85603 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.04100,0.85603 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=128 (bits)' at screen 0.06100,0.85603 left noenhanced
  set arrow from screen 0.57590,0.85603 to screen 0.60390,0.85603 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.58990,0.85603 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:page=128 (bits)' at screen 0.60990,0.85603 left noenhanced
  set arrow from screen 0.80860,0.85603 to screen 0.83660,0.85603 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.82260,0.85603 point pt 15 ps size lc rgb '#66A61E'
  set label 'q4_0' at screen 0.84260,0.85603 left noenhanced
  set arrow from screen 0.90180,0.85603 to screen 0.92980,0.85603 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.91580,0.85603 point pt 11 ps size lc rgb '#7570B3'
  set label 'q8_0' at screen 0.93580,0.85603 left noenhanced
  set arrow from screen 0.42720,0.81986 to screen 0.45520,0.81986 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front' at screen 0.46120,0.81986 left noenhanced
  set xlabel 'measured bits per value of the whole cache' noenhanced
  set lmargin at screen 0.09000; set rmargin at screen 0.98000
  set tmargin at screen 0.74610; set bmargin at screen 0.10213
  set title 'SmolLM2-135M-Instruct.Q4_1, held-out' noenhanced offset 0,-0.6
  set label 999 'mean |Δppl|, %' at screen 0.01200,0.42411 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 1 using 1:($3 > 0.0538242 ? $3 : 0.0538242):(0):($4 - ($3 > 0.0538242 ? $3 : 0.0538242)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 1 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#009E73' notitle, \
      data index 2 using 1:($3 > 0.0538242 ? $3 : 0.0538242):(0):($4 - ($3 > 0.0538242 ? $3 : 0.0538242)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#009E73' notitle, \
      data index 2 using 1:2 with points pt 9 ps size lc rgb '#009E73' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 3 using 1:($3 > 0.0538242 ? $3 : 0.0538242):(0):($4 - ($3 > 0.0538242 ? $3 : 0.0538242)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 3 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 4 using 1:($3 > 0.0538242 ? $3 : 0.0538242):(0):($4 - ($3 > 0.0538242 ? $3 : 0.0538242)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 4 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 5 using 1:($3 > 0.0538242 ? $3 : 0.0538242):(0):($4 - ($3 > 0.0538242 ? $3 : 0.0538242)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 5 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 6 using 1:($3 > 0.0538242 ? $3 : 0.0538242):(0):($4 - ($3 > 0.0538242 ? $3 : 0.0538242)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 6 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 7 using 1:($3 > 0.0538242 ? $3 : 0.0538242):(0):($4 - ($3 > 0.0538242 ? $3 : 0.0538242)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 7 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 8 using 1:($3 > 0.0538242 ? $3 : 0.0538242):(0):($4 - ($3 > 0.0538242 ? $3 : 0.0538242)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 8 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 9 using 1:($3 > 0.0538242 ? $3 : 0.0538242):(0):($4 - ($3 > 0.0538242 ? $3 : 0.0538242)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 9 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 10 using 1:2:3:4 with labels center font ',13' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
