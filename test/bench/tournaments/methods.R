# Forecasts of nine methods, one period ahead from the newest origins of monthly series, on one thread.
# Input: first line "origins", then a line "value,value,..." for each series. Output: milliseconds of user time.
suppressMessages(library(forecast))
input <- readLines(file("stdin"))
origins <- as.integer(input[1])
series <- lapply(strsplit(input[-1], ","), as.numeric)
methods <- list(
  function(y) naive(y, h = 1),
  function(y) snaive(y, h = 1),
  function(y) rwf(y, h = 1, drift = TRUE),
  function(y) ses(y, h = 1),
  function(y) holt(y, h = 1),
  function(y) holt(y, h = 1, damped = TRUE),
  function(y) thetaf(y, h = 1),
  function(y) hw(y, h = 1, damped = TRUE, seasonal = "multiplicative"),
  function(y) forecast(ets(y), h = 1)
)
warm <- ts(series[[1]], frequency = 12)
for (method in methods) invisible(method(warm))
from <- proc.time()[["user.self"]]
losses <- 0
for (values in series) {
  for (back in seq(origins, 1)) {
    n <- length(values) - back
    y <- ts(values[1:n], frequency = 12)
    for (method in methods) losses <- losses + abs(values[n + 1] - as.numeric(method(y)$mean))
  }
}
cat(1000 * (proc.time()[["user.self"]] - from))
