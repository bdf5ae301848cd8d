# KL divergence from the bf16 cache against measured bits of the coded values (prefix)
# Redraw in this folder: gnuplot kld_prefix_all.gp
data = 'kld_prefix_all.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1400,1866 enhanced font 'Arial,17' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 2800,3731 enhanced font 'DejaVu Sans,17' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'kld_prefix_all.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold KL divergence from the bf16 cache against measured bits of the coded values (prefix)}' at screen 0.5,0.98821 center font ',20'
  set label 2 '4 passages of 8000 + 192 scored tokens; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn; profiles not counted' at screen 0.5,0.97427 center font ',15' tc rgb '#444444' noenhanced
  set xrange [0.5:6]
  set yrange [0.000213244:0.110643]
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
  set arrow from screen 0.19565,0.95926 to screen 0.21565,0.95926 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.20565,0.95926 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8:rule=published (q)' at screen 0.21994,0.95926 left noenhanced
  set arrow from screen 0.39375,0.95926 to screen 0.41375,0.95926 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.40375,0.95926 point pt 7 ps size lc rgb '#000000'
  set label 'ece8:center=mean (bits)' at screen 0.41804,0.95926 left noenhanced
  set arrow from screen 0.60691,0.95926 to screen 0.62691,0.95926 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.61691,0.95926 point pt 14 ps size lc rgb '#CC0000'
  set label 'klt:profile=none (bits)' at screen 0.63119,0.95926 left noenhanced
  set arrow from screen 0.23189,0.94377 to screen 0.25189,0.94377 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.24189,0.94377 point pt 7 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=1000,profile=264766293e045428 (bits)' at screen 0.25617,0.94377 left noenhanced
  set arrow from screen 0.23189,0.92828 to screen 0.25189,0.92828 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.24189,0.92828 point pt 6 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=1000,profile=b1ed4b09e1cc47a7 (bits)' at screen 0.25617,0.92828 left noenhanced
  set arrow from screen 0.23189,0.91279 to screen 0.25189,0.91279 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.24189,0.91279 point pt 5 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=1000,profile=c6696d7cd0d72fd1 (bits)' at screen 0.25617,0.91279 left noenhanced
  set arrow from screen 0.23189,0.89730 to screen 0.25189,0.89730 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.24189,0.89730 point pt 4 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=1000,profile=ede21f491feb06c0 (bits)' at screen 0.25617,0.89730 left noenhanced
  set arrow from screen 0.19424,0.88181 to screen 0.21424,0.88181 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.20424,0.88181 point pt 9 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=1000,send=auto,profile=b1ed4b09e1cc47a7 (bits)' at screen 0.21853,0.88181 left noenhanced
  set arrow from screen 0.19424,0.86632 to screen 0.21424,0.86632 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.20424,0.86632 point pt 8 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=1000,send=auto,profile=ede21f491feb06c0 (bits)' at screen 0.21853,0.86632 left noenhanced
  set arrow from screen 0.19048,0.85083 to screen 0.21048,0.85083 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.20048,0.85083 point pt 13 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=125,prior=heads,profile=ede21f491feb06c0 (bits)' at screen 0.21476,0.85083 left noenhanced
  set arrow from screen 0.23189,0.83533 to screen 0.25189,0.83533 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.24189,0.83533 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=2000,profile=c0f09db8c887968c (bits)' at screen 0.25617,0.83533 left noenhanced
  set arrow from screen 0.23189,0.81984 to screen 0.25189,0.81984 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.24189,0.81984 point pt 12 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=2000,profile=ede21f491feb06c0 (bits)' at screen 0.25617,0.81984 left noenhanced
  set arrow from screen 0.13025,0.80435 to screen 0.15025,0.80435 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.14025,0.80435 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=250,prior=heads,group=3,send=32,profile=ede21f491feb06c0 (bits)' at screen 0.15454,0.80435 left noenhanced
  set arrow from screen 0.23565,0.78886 to screen 0.25565,0.78886 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.24565,0.78886 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=250,profile=b1ed4b09e1cc47a7 (bits)' at screen 0.25994,0.78886 left noenhanced
  set arrow from screen 0.23565,0.77337 to screen 0.25565,0.77337 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.24565,0.77337 point pt 15 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=250,profile=c6696d7cd0d72fd1 (bits)' at screen 0.25994,0.77337 left noenhanced
  set arrow from screen 0.13025,0.75788 to screen 0.15025,0.75788 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.14025,0.75788 point pt 14 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=500,prior=heads,group=3,send=32,profile=264766293e045428 (bits)' at screen 0.15454,0.75788 left noenhanced
  set arrow from screen 0.13025,0.74239 to screen 0.15025,0.74239 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.14025,0.74239 point pt 7 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=500,prior=heads,group=3,send=32,profile=ede21f491feb06c0 (bits)' at screen 0.15454,0.74239 left noenhanced
  set arrow from screen 0.13025,0.72690 to screen 0.15025,0.72690 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.14025,0.72690 point pt 6 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=500,prior=heads,group=6,send=32,profile=ede21f491feb06c0 (bits)' at screen 0.15454,0.72690 left noenhanced
  set arrow from screen 0.19048,0.71141 to screen 0.21048,0.71141 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.20048,0.71141 point pt 5 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=500,prior=heads,profile=264766293e045428 (bits)' at screen 0.21476,0.71141 left noenhanced
  set arrow from screen 0.19048,0.69592 to screen 0.21048,0.69592 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.20048,0.69592 point pt 4 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=500,prior=heads,profile=ede21f491feb06c0 (bits)' at screen 0.21476,0.69592 left noenhanced
  set arrow from screen 0.16036,0.68042 to screen 0.18036,0.68042 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.17036,0.68042 point pt 9 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=500,prior=heads,send=32,profile=ede21f491feb06c0 (bits)' at screen 0.18465,0.68042 left noenhanced
  set arrow from screen 0.03873,0.66493 to screen 0.05873,0.66493 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.04873,0.66493 point pt 8 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=9f87da0165e39752 (bits)' at screen 0.06301,0.66493 left noenhanced
  set arrow from screen 0.50786,0.66493 to screen 0.52786,0.66493 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.51786,0.66493 point pt 13 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=b1ed4b09e1cc47a7 (bits)' at screen 0.53214,0.66493 left noenhanced
  set arrow from screen 0.03873,0.64944 to screen 0.05873,0.64944 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.04873,0.64944 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=b270406f341440ab (bits)' at screen 0.06301,0.64944 left noenhanced
  set arrow from screen 0.50786,0.64944 to screen 0.52786,0.64944 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.51786,0.64944 point pt 12 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=c0f09db8c887968c (bits)' at screen 0.53214,0.64944 left noenhanced
  set arrow from screen 0.03873,0.63395 to screen 0.05873,0.63395 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.04873,0.63395 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=c2ae20bdc57cf421 (bits)' at screen 0.06301,0.63395 left noenhanced
  set arrow from screen 0.50786,0.63395 to screen 0.52786,0.63395 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.51786,0.63395 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=c6696d7cd0d72fd1 (bits)' at screen 0.53214,0.63395 left noenhanced
  set arrow from screen 0.17424,0.61846 to screen 0.19424,0.61846 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.18424,0.61846 point pt 15 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=ede21f491feb06c0 (bits)' at screen 0.19853,0.61846 left noenhanced
  set arrow from screen 0.64337,0.61846 to screen 0.66337,0.61846 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.65337,0.61846 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'kvtc:page=1024 (bits)' at screen 0.66766,0.61846 left noenhanced
  set arrow from screen 0.23189,0.60297 to screen 0.25189,0.60297 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.24189,0.60297 point pt 14 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=1000,profile=29be0875982d810b (bits)' at screen 0.25617,0.60297 left noenhanced
  set arrow from screen 0.23189,0.58748 to screen 0.25189,0.58748 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.24189,0.58748 point pt 7 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=1000,profile=2e8c2d62df0273ad (bits)' at screen 0.25617,0.58748 left noenhanced
  set arrow from screen 0.23189,0.57199 to screen 0.25189,0.57199 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.24189,0.57199 point pt 6 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=1000,profile=95ccede7f079f607 (bits)' at screen 0.25617,0.57199 left noenhanced
  set arrow from screen 0.23189,0.55650 to screen 0.25189,0.55650 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.24189,0.55650 point pt 5 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=1000,profile=a1ea1e261cc432c3 (bits)' at screen 0.25617,0.55650 left noenhanced
  set arrow from screen 0.19424,0.54101 to screen 0.21424,0.54101 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.20424,0.54101 point pt 4 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=1000,send=auto,profile=29be0875982d810b (bits)' at screen 0.21853,0.54101 left noenhanced
  set arrow from screen 0.19424,0.52551 to screen 0.21424,0.52551 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.20424,0.52551 point pt 9 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=1000,send=auto,profile=a1ea1e261cc432c3 (bits)' at screen 0.21853,0.52551 left noenhanced
  set arrow from screen 0.19048,0.51002 to screen 0.21048,0.51002 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.20048,0.51002 point pt 8 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=125,prior=heads,profile=a1ea1e261cc432c3 (bits)' at screen 0.21476,0.51002 left noenhanced
  set arrow from screen 0.23189,0.49453 to screen 0.25189,0.49453 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.24189,0.49453 point pt 13 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=2000,profile=210b53faba68da89 (bits)' at screen 0.25617,0.49453 left noenhanced
  set arrow from screen 0.23189,0.47904 to screen 0.25189,0.47904 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.24189,0.47904 point pt 12 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=2000,profile=a1ea1e261cc432c3 (bits)' at screen 0.25617,0.47904 left noenhanced
  set arrow from screen 0.13025,0.46355 to screen 0.15025,0.46355 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.14025,0.46355 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=250,prior=heads,group=3,send=32,profile=a1ea1e261cc432c3 (bits)' at screen 0.15454,0.46355 left noenhanced
  set arrow from screen 0.23565,0.44806 to screen 0.25565,0.44806 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.24565,0.44806 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=250,profile=29be0875982d810b (bits)' at screen 0.25994,0.44806 left noenhanced
  set arrow from screen 0.23565,0.43257 to screen 0.25565,0.43257 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.24565,0.43257 point pt 15 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=250,profile=95ccede7f079f607 (bits)' at screen 0.25994,0.43257 left noenhanced
  set arrow from screen 0.13025,0.41708 to screen 0.15025,0.41708 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.14025,0.41708 point pt 14 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=500,prior=heads,group=3,send=32,profile=2e8c2d62df0273ad (bits)' at screen 0.15454,0.41708 left noenhanced
  set arrow from screen 0.13025,0.40159 to screen 0.15025,0.40159 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.14025,0.40159 point pt 7 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=500,prior=heads,group=3,send=32,profile=a1ea1e261cc432c3 (bits)' at screen 0.15454,0.40159 left noenhanced
  set arrow from screen 0.13025,0.38610 to screen 0.15025,0.38610 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.14025,0.38610 point pt 6 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=500,prior=heads,group=6,send=32,profile=a1ea1e261cc432c3 (bits)' at screen 0.15454,0.38610 left noenhanced
  set arrow from screen 0.19048,0.37060 to screen 0.21048,0.37060 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.20048,0.37060 point pt 5 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=500,prior=heads,profile=2e8c2d62df0273ad (bits)' at screen 0.21476,0.37060 left noenhanced
  set arrow from screen 0.19048,0.35511 to screen 0.21048,0.35511 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.20048,0.35511 point pt 4 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=500,prior=heads,profile=a1ea1e261cc432c3 (bits)' at screen 0.21476,0.35511 left noenhanced
  set arrow from screen 0.16036,0.33962 to screen 0.18036,0.33962 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.17036,0.33962 point pt 9 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=500,prior=heads,send=32,profile=a1ea1e261cc432c3 (bits)' at screen 0.18465,0.33962 left noenhanced
  set arrow from screen 0.03873,0.32413 to screen 0.05873,0.32413 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.04873,0.32413 point pt 8 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=210b53faba68da89 (bits)' at screen 0.06301,0.32413 left noenhanced
  set arrow from screen 0.50786,0.32413 to screen 0.52786,0.32413 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.51786,0.32413 point pt 13 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=6bc2bdb4b073526a (bits)' at screen 0.53214,0.32413 left noenhanced
  set arrow from screen 0.03873,0.30864 to screen 0.05873,0.30864 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.04873,0.30864 point pt 12 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=95ccede7f079f607 (bits)' at screen 0.06301,0.30864 left noenhanced
  set arrow from screen 0.50786,0.30864 to screen 0.52786,0.30864 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.51786,0.30864 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=a1ea1e261cc432c3 (bits)' at screen 0.53214,0.30864 left noenhanced
  set arrow from screen 0.03873,0.29315 to screen 0.05873,0.29315 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.04873,0.29315 point pt 15 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=c3767853ceaf4eac (bits)' at screen 0.06301,0.29315 left noenhanced
  set arrow from screen 0.50786,0.29315 to screen 0.52786,0.29315 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.51786,0.29315 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=dcfac22cddbcb6c4 (bits)' at screen 0.53214,0.29315 left noenhanced
  set arrow from screen 0.30976,0.27766 to screen 0.32976,0.27766 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front' at screen 0.33404,0.27766 left noenhanced
  set arrow from screen 0.44010,0.27766 to screen 0.46010,0.27766 nohead lw 1.5 dt 2 lc rgb '#555555'
  set label 'nothing coded: bf16 arithmetic' at screen 0.46439,0.27766 left noenhanced
  set xlabel 'measured bits per value of the coded values' noenhanced
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.24979; set bmargin at screen 0.03859
  set title 'gemma-3-270m-q4_k_m, held-out' noenhanced offset 0,-0.6
  set label 999 'mean KL divergence, nats' at screen 0.00971,0.14419 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 2 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 2 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 3 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 3 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 4 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 4 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 5 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 5 using 1:2 with points pt 7 ps size lc rgb '#CC0000' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 6 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 6 using 1:2 with points pt 6 ps size lc rgb '#CC0000' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 7 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 7 using 1:2 with points pt 5 ps size lc rgb '#CC0000' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 8 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 8 using 1:2 with points pt 4 ps size lc rgb '#CC0000' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 9 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 9 using 1:2 with points pt 9 ps size lc rgb '#CC0000' notitle, \
      data index 10 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 10 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 10 using 1:2 with points pt 8 ps size lc rgb '#CC0000' notitle, \
      data index 11 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 11 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 11 using 1:2 with points pt 13 ps size lc rgb '#CC0000' notitle, \
      data index 12 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 12 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 12 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 13 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 13 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 13 using 1:2 with points pt 12 ps size lc rgb '#CC0000' notitle, \
      data index 14 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 14 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 14 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 15 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 15 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 15 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 16 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 16 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 16 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 17 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 17 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 17 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 18 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 18 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 18 using 1:2 with points pt 7 ps size lc rgb '#CC0000' notitle, \
      data index 19 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 19 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 19 using 1:2 with points pt 6 ps size lc rgb '#CC0000' notitle, \
      data index 20 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 20 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 20 using 1:2 with points pt 5 ps size lc rgb '#CC0000' notitle, \
      data index 21 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 21 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 21 using 1:2 with points pt 4 ps size lc rgb '#CC0000' notitle, \
      data index 22 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 22 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 22 using 1:2 with points pt 9 ps size lc rgb '#CC0000' notitle, \
      data index 23 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 23 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 23 using 1:2 with points pt 8 ps size lc rgb '#CC0000' notitle, \
      data index 24 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 24 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 24 using 1:2 with points pt 13 ps size lc rgb '#CC0000' notitle, \
      data index 25 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 25 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 25 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 26 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 26 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 26 using 1:2 with points pt 12 ps size lc rgb '#CC0000' notitle, \
      data index 27 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 27 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 27 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 28 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 28 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 28 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 29 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 29 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 29 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 30 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 30 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 30 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 31 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.24979; set bmargin at screen 0.03859
  set title 'SmolLM2-135M-Instruct.Q4_1, held-out' noenhanced offset 0,-0.6
  unset label
  unset arrow
  set label 999 'mean KL divergence, nats' at screen 0.50971,0.14419 center rotate noenhanced
  plot data index 32 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 33 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 34 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 34 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 34 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 35 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 35 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 35 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 36 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 36 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 36 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 37 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 37 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 37 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 38 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 38 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 38 using 1:2 with points pt 7 ps size lc rgb '#CC0000' notitle, \
      data index 39 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 39 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 39 using 1:2 with points pt 6 ps size lc rgb '#CC0000' notitle, \
      data index 40 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 40 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 40 using 1:2 with points pt 5 ps size lc rgb '#CC0000' notitle, \
      data index 41 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 41 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 41 using 1:2 with points pt 4 ps size lc rgb '#CC0000' notitle, \
      data index 42 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 42 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 42 using 1:2 with points pt 9 ps size lc rgb '#CC0000' notitle, \
      data index 43 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 43 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 43 using 1:2 with points pt 8 ps size lc rgb '#CC0000' notitle, \
      data index 44 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 44 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 44 using 1:2 with points pt 13 ps size lc rgb '#CC0000' notitle, \
      data index 45 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 45 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 45 using 1:2 with points pt 12 ps size lc rgb '#CC0000' notitle, \
      data index 46 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 46 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 46 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 47 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 47 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 47 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 48 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 48 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 48 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 49 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 49 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 49 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 50 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 50 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 50 using 1:2 with points pt 7 ps size lc rgb '#CC0000' notitle, \
      data index 51 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 51 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 51 using 1:2 with points pt 6 ps size lc rgb '#CC0000' notitle, \
      data index 52 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 52 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 52 using 1:2 with points pt 5 ps size lc rgb '#CC0000' notitle, \
      data index 53 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 53 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 53 using 1:2 with points pt 4 ps size lc rgb '#CC0000' notitle, \
      data index 54 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 54 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 54 using 1:2 with points pt 9 ps size lc rgb '#CC0000' notitle, \
      data index 55 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 55 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 55 using 1:2 with points pt 8 ps size lc rgb '#CC0000' notitle, \
      data index 56 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 56 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 56 using 1:2 with points pt 13 ps size lc rgb '#CC0000' notitle, \
      data index 57 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 57 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 57 using 1:2 with points pt 12 ps size lc rgb '#CC0000' notitle, \
      data index 58 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 58 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 58 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 59 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 59 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 59 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 60 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 60 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 60 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 61 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 61 using 1:($3 > 0.000213244 ? $3 : 0.000213244):(0):($4 - ($3 > 0.000213244 ? $3 : 0.000213244)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 61 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 62 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
