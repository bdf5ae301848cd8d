# Change of perplexity against measured bits of the coded values (in-forward)
# Redraw in this folder: gnuplot delta_ppl_inforward_all.gp
data = 'delta_ppl_inforward_all.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1000,782 enhanced font 'Arial,15' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 2000,1563 enhanced font 'DejaVu Sans,15' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'delta_ppl_inforward_all.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold Change of perplexity against measured bits of the coded values (in-forward)}' at screen 0.5,0.97185 center font ',18'
  set label 2 '37 passages of 2048 + 64 scored tokens; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn; noise alone is above 0' at screen 0.5,0.93858 center font ',13' tc rgb '#444444' noenhanced
  set xrange [0.5:9]
  set yrange [0.109008:946.597]
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
  set arrow from screen 0.05945,0.90275 to screen 0.08745,0.90275 nohead lw 1.2 dt 1 lc rgb '#AA3377'
  set label '' at screen 0.07345,0.90275 point pt 13 ps size lc rgb '#AA3377'
  set label 'fp8' at screen 0.09345,0.90275 left noenhanced
  set arrow from screen 0.14335,0.90275 to screen 0.17135,0.90275 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.15735,0.90275 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8:pack=rans (q)' at screen 0.17735,0.90275 left noenhanced
  set arrow from screen 0.34815,0.90275 to screen 0.37615,0.90275 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.36215,0.90275 point pt 6 ps size lc rgb '#0072B2'
  set label 'e8:rule=published (q)' at screen 0.38215,0.90275 left noenhanced
  set arrow from screen 0.59945,0.90275 to screen 0.62745,0.90275 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.61345,0.90275 point pt 7 ps size lc rgb '#000000'
  set label 'ece8:center=mean (bits)' at screen 0.63345,0.90275 left noenhanced
  set arrow from screen 0.86935,0.90275 to screen 0.89735,0.90275 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.88335,0.90275 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'int4' at screen 0.90335,0.90275 left noenhanced
  set arrow from screen 0.16650,0.87012 to screen 0.19450,0.87012 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.18050,0.87012 point pt 15 ps size lc rgb '#66A61E'
  set label 'int8' at screen 0.20050,0.87012 left noenhanced
  set arrow from screen 0.25970,0.87012 to screen 0.28770,0.87012 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.27370,0.87012 point pt 11 ps size lc rgb '#7570B3'
  set label 'iq4_nl:rotate=64' at screen 0.29370,0.87012 left noenhanced
  set arrow from screen 0.46450,0.87012 to screen 0.49250,0.87012 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.47850,0.87012 point pt 15 ps size lc rgb '#CC79A7'
  set label 'kivi (b)' at screen 0.49850,0.87012 left noenhanced
  set arrow from screen 0.59490,0.87012 to screen 0.62290,0.87012 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.60890,0.87012 point pt 11 ps size lc rgb '#777777'
  set label 'klt:lattice=tcq (bits)' at screen 0.62890,0.87012 left noenhanced
  set arrow from screen 0.16205,0.83749 to screen 0.19005,0.83749 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.17605,0.83749 point pt 10 ps size lc rgb '#777777'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=512 (bits)' at screen 0.19605,0.83749 left noenhanced
  set arrow from screen 0.71095,0.83749 to screen 0.73895,0.83749 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.72495,0.83749 point pt 15 ps size lc rgb '#777777'
  set label 'klt (bits)' at screen 0.74495,0.83749 left noenhanced
  set arrow from screen 0.05015,0.80486 to screen 0.07815,0.80486 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.06415,0.80486 point pt 14 ps size lc rgb '#777777'
  set label 'klt:scope=layer,restart=1,page=512 (bits)' at screen 0.08415,0.80486 left noenhanced
  set arrow from screen 0.48745,0.80486 to screen 0.51545,0.80486 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.50145,0.80486 point pt 15 ps size lc rgb '#8C6D1F'
  set label 'mxfp4' at screen 0.52145,0.80486 left noenhanced
  set arrow from screen 0.58995,0.80486 to screen 0.61795,0.80486 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.60395,0.80486 point pt 11 ps size lc rgb '#66A61E'
  set label 'nvfp4' at screen 0.62395,0.80486 left noenhanced
  set arrow from screen 0.69245,0.80486 to screen 0.72045,0.80486 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.70645,0.80486 point pt 15 ps size lc rgb '#7570B3'
  set label 'q4_0' at screen 0.72645,0.80486 left noenhanced
  set arrow from screen 0.78565,0.80486 to screen 0.81365,0.80486 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.79965,0.80486 point pt 14 ps size lc rgb '#7570B3'
  set label 'q4_0:rotate=64' at screen 0.81965,0.80486 left noenhanced
  set arrow from screen 0.09200,0.77223 to screen 0.12000,0.77223 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.10600,0.77223 point pt 11 ps size lc rgb '#CC79A7'
  set label 'q4_1:rotate=64' at screen 0.12600,0.77223 left noenhanced
  set arrow from screen 0.27820,0.77223 to screen 0.30620,0.77223 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.29220,0.77223 point pt 15 ps size lc rgb '#777777'
  set label 'q5_0:rotate=64' at screen 0.31220,0.77223 left noenhanced
  set arrow from screen 0.46440,0.77223 to screen 0.49240,0.77223 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.47840,0.77223 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'q5_1:rotate=64' at screen 0.49840,0.77223 left noenhanced
  set arrow from screen 0.65060,0.77223 to screen 0.67860,0.77223 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.66460,0.77223 point pt 15 ps size lc rgb '#66A61E'
  set label 'q8_0' at screen 0.68460,0.77223 left noenhanced
  set arrow from screen 0.74380,0.77223 to screen 0.77180,0.77223 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.75780,0.77223 point pt 14 ps size lc rgb '#66A61E'
  set label 'q8_0:rotate=64' at screen 0.77780,0.77223 left noenhanced
  set arrow from screen 0.19450,0.73960 to screen 0.22250,0.73960 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.20850,0.73960 point pt 11 ps size lc rgb '#7570B3'
  set label 'turboquant (b)' at screen 0.22850,0.73960 left noenhanced
  set arrow from screen 0.38070,0.73960 to screen 0.40870,0.73960 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.39470,0.73960 point pt 10 ps size lc rgb '#7570B3'
  set label 'turboquant:mode=prod (b)' at screen 0.41470,0.73960 left noenhanced
  set arrow from screen 0.65990,0.73960 to screen 0.68790,0.73960 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front' at screen 0.69390,0.73960 left noenhanced
  set xlabel 'measured bits per value of the coded values' noenhanced
  set lmargin at screen 0.09000; set rmargin at screen 0.98000
  set tmargin at screen 0.67306; set bmargin at screen 0.09213
  set title 'SmolLM2-135M-Instruct.Q4_1, held-out' noenhanced offset 0,-0.6
  set label 999 'mean |Δppl|, %' at screen 0.01200,0.38260 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 1 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 1 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 2 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 2 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 3 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 3 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 4 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 4 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 5 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 5 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 6 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 6 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 7 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 7 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 8 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 8 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 9 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 9 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 10 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 10 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 10 using 1:2 with points pt 10 ps size lc rgb '#777777' notitle, \
      data index 11 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 11 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 11 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 12 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 12 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 12 using 1:2 with points pt 14 ps size lc rgb '#777777' notitle, \
      data index 13 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 13 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 13 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 14 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 14 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 14 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 15 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 15 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 15 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 16 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 16 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 16 using 1:2 with points pt 14 ps size lc rgb '#7570B3' notitle, \
      data index 17 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 17 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 17 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 18 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 18 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 18 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 19 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 19 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 19 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 20 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 20 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 20 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 21 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 21 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 21 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 22 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 22 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 22 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 23 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 23 using 1:($3 > 0.109008 ? $3 : 0.109008):(0):($4 - ($3 > 0.109008 ? $3 : 0.109008)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 23 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 24 using 1:2:3:4 with labels center font ',13' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
