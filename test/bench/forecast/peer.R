# Forecasts by R's ets, auto.arima and thetaf, one after the other, on one thread.
# Input: lines "period,horizon,value,value,...". Output, for each line and method: "method,ms,point;...,lower;...,upper;...".
suppressMessages(library(forecast))
options(digits = 17)
lines <- readLines(file("stdin"))
joined <- function(x) paste(format(as.numeric(x), digits = 15), collapse = ";")
methods <- list(
  ets = function(y, h) forecast(ets(y), h = h, level = 95),
  arima = function(y, h) forecast(auto.arima(y), h = h, level = 95),
  theta = function(y, h) thetaf(y, h = h, level = 95)
)
for (line in lines) {
  fields <- as.numeric(strsplit(line, ",")[[1]])
  y <- ts(fields[-(1:2)], frequency = fields[1])
  for (name in names(methods)) {
    from <- proc.time()[["user.self"]]
    f <- methods[[name]](y, fields[2])
    ms <- 1000 * (proc.time()[["user.self"]] - from)
    cat(name, ms, joined(f$mean), joined(f$lower), joined(f$upper), sep = ",")
    cat("\n")
  }
}
