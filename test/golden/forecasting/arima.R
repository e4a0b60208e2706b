# Reference values for difference tests, STL, ARIMA and Croston's method.
# Rscript arima.R > arima.json   (Debian: r-base-core, r-cran-forecast, r-cran-urca, r-cran-jsonlite)
suppressMessages({library(forecast); library(jsonlite)})

sets <- list(AirPassengers = AirPassengers, LogAirPassengers = log(AirPassengers), USAccDeaths = USAccDeaths,
  nottem = nottem, ldeaths = ldeaths, UKgas = UKgas, JohnsonJohnson = JohnsonJohnson, lynx = lynx, Nile = Nile,
  WWWusage = WWWusage, LakeHuron = LakeHuron, uspop = ts(as.numeric(uspop)))

differences <- function(x) {
  D <- if (frequency(x) > 1) nsdiffs(x) else 0
  dx <- if (D > 0) diff(x, lag = frequency(x)) else x
  lags <- trunc(3 * sqrt(length(x)) / 13)
  found <- list(D = D, d = ndiffs(dx), plain_d = ndiffs(x),
    kpss = urca::ur.kpss(as.numeric(x), type = "mu", use.lag = lags)@teststat)
  if (frequency(x) > 1) {
    found$ocsb <- sapply(0:3, function(l) unname(ocsb.test(x, maxlag = l)$statistics))
    found$ocsb_critical <- unname(ocsb.test(x)$critical)
  }
  found
}

# Robust fits of an odd length only: with an even one R takes the median of the remainders from a half-sorted array.
decomposed <- function(x, robust) {
  if (robust && length(x) %% 2 == 0) x <- ts(x[-length(x)], frequency = frequency(x))
  parts <- stl(x, s.window = 11, robust = robust)$time.series
  list(robust = robust, seasonal = as.numeric(parts[, 1]), trend = as.numeric(parts[, 2]))
}

# The exact likelihood at given parameters, by the filter of stats::arima; no parameter is estimated.
at_fixed <- function(name, x, order, seasonal, fixed, mean) {
  fit <- arima(x, order = order, seasonal = list(order = seasonal, period = frequency(x)), include.mean = mean,
    fixed = fixed, transform.pars = FALSE, method = "ML", SSinit = "Rossignol2011")
  p <- predict(fit, n.ahead = 15)
  list(series = name, values = as.numeric(x), period = frequency(x), order = order, seasonal = seasonal, mean = mean,
    fixed = fixed, log_likelihood = fit$loglik, variance = fit$sigma2, point = as.numeric(p$pred), se = as.numeric(p$se))
}

# A fit whose optimiser is let run to the end, so that optima can be compared. It is made on the differenced series and
# its forecasts are summed up, since the filter of stats::arima takes integrated series as nearly stationary ones.
fitted_arima <- function(name, order, seasonal = c(0, 0, 0), constant = FALSE) {
  x <- sets[[name]]
  m <- frequency(x)
  d <- order[2]
  D <- seasonal[2]
  k <- order[1] + order[3] + seasonal[1] + seasonal[3] + constant
  to_the_end <- list(reltol = 1e-15, maxit = 2000, ndeps = rep(1e-5, k))
  w <- if (D > 0) diff(x, lag = m) else x
  before <- w
  if (d > 0) w <- diff(w, differences = d)
  fit <- arima(w, order = c(order[1], 0, order[3]), seasonal = list(order = c(seasonal[1], 0, seasonal[3]), period = m),
    include.mean = constant, method = "ML", optim.control = to_the_end)
  point <- as.numeric(predict(fit, n.ahead = 18)$pred)
  if (d > 0) point <- tail(diffinv(c(as.numeric(w), point), differences = d, xi = as.numeric(before)[1:d]), 18)
  if (D > 0) point <- tail(diffinv(c(as.numeric(before), point), lag = m, xi = as.numeric(x)[1:m]), 18)
  direct <- Arima(x, order = order, seasonal = seasonal, include.constant = constant, method = "ML", kappa = 1e8,
    optim.control = to_the_end)
  list(series = name, order = order, seasonal = seasonal, constant = constant, coefficients = as.list(fit$coef),
    log_likelihood = fit$loglik, variance = fit$sigma2, point = point,
    se = as.numeric(forecast(direct, h = 18, level = 95)$upper - forecast(direct, h = 18)$mean) / qnorm(0.975))
}

automatic <- function(name) {
  fit <- auto.arima(sets[[name]])
  list(series = name, order = unname(arimaorder(fit)), aicc = fit$aicc, coefficients = as.list(fit$coef),
    point = as.numeric(forecast(fit, h = 18)$mean))
}

demand <- c(0, 2, 0, 0, 1, 5, 0, 0, 0, 3, 0, 1, 0, 0, 0, 0, 4, 2, 0, 0, 1, 0, 0, 6, 0, 0, 0, 2, 0, 1)
taylor_part <- msts(as.numeric(taylor)[1:1008], c(48, 336))
taylor_parts <- mstl(taylor_part)

out <- list(
  made = list(r = R.version.string, forecast = as.character(packageVersion("forecast")),
    urca = as.character(packageVersion("urca")), date = as.character(Sys.Date())),
  series = lapply(sets, function(x) list(period = frequency(x), values = as.numeric(x))),
  differences = lapply(sets, differences),
  stl = list(LogAirPassengers = lapply(c(FALSE, TRUE), function(r) decomposed(sets$LogAirPassengers, r)),
    ldeaths = lapply(c(FALSE, TRUE), function(r) decomposed(ldeaths, r)),
    UKgas = lapply(c(FALSE, TRUE), function(r) decomposed(UKgas, r))),
  mstl = list(values = as.numeric(taylor_part), seasonal_48 = as.numeric(taylor_parts[, "Seasonal48"]),
    seasonal_336 = as.numeric(taylor_parts[, "Seasonal336"]), trend = as.numeric(taylor_parts[, "Trend"])),
  likelihoods = list(
    at_fixed("LakeHuron", LakeHuron, c(2, 0, 0), c(0, 0, 0), c(1.04, -0.25, 579), TRUE),
    at_fixed("lynx", log(lynx), c(2, 0, 1), c(0, 0, 0), c(1.3, -0.7, 0.2, 6.6), TRUE),
    at_fixed("diff(WWWusage)", diff(WWWusage), c(1, 0, 1), c(0, 0, 0), c(0.65, 0.52), FALSE),
    at_fixed("Nile", Nile, c(0, 0, 3), c(0, 0, 0), c(0.5, 0.3, -0.2, 900), TRUE),
    at_fixed("seasonal MA", diff(diff(log(AirPassengers), 12)), c(0, 0, 1), c(0, 0, 1), c(-0.4, -0.55), FALSE),
    at_fixed("seasonal ARMA", diff(log(AirPassengers), 12), c(2, 0, 1), c(1, 0, 1), c(0.5, 0.2, 0.1, -0.3, -0.4, 0.11), TRUE),
    at_fixed("two seasonal terms", ldeaths, c(1, 0, 2), c(2, 0, 2), c(0.4, 0.2, 0.1, 0.5, 0.3, 0.2, -0.1, 2000), TRUE),
    at_fixed("quarterly", diff(log(UKgas), 4), c(3, 0, 2), c(1, 0, 2), c(0.3, 0.2, 0.1, -0.3, 0.2, 0.4, -0.5, 0.1, 0.05), TRUE)),
  fits = list(
    fitted_arima("LakeHuron", c(2, 0, 0), constant = TRUE),
    fitted_arima("LakeHuron", c(1, 0, 1), constant = TRUE),
    fitted_arima("WWWusage", c(1, 1, 1)), fitted_arima("WWWusage", c(3, 1, 0)),
    fitted_arima("Nile", c(0, 1, 1)), fitted_arima("Nile", c(1, 0, 1), constant = TRUE),
    fitted_arima("lynx", c(2, 0, 2), constant = TRUE), fitted_arima("uspop", c(0, 2, 1)),
    fitted_arima("LogAirPassengers", c(0, 1, 1), c(0, 1, 1)),
    fitted_arima("LogAirPassengers", c(2, 0, 0), c(0, 1, 1), TRUE),
    fitted_arima("AirPassengers", c(2, 1, 1), c(0, 1, 0)),
    fitted_arima("USAccDeaths", c(0, 1, 1), c(0, 1, 1)),
    fitted_arima("ldeaths", c(1, 0, 0), c(2, 0, 0), TRUE),
    fitted_arima("JohnsonJohnson", c(1, 1, 2), c(0, 1, 0)), fitted_arima("UKgas", c(0, 1, 1), c(1, 1, 1)),
    fitted_arima("uspop", c(1, 1, 0), constant = TRUE)),
  automatic = lapply(names(sets), automatic),
  croston = list(values = demand, alpha = 0.1, point = as.numeric(croston(ts(demand), h = 3)$mean[1]),
    alpha_3 = as.numeric(croston(ts(demand), h = 3, alpha = 0.3)$mean[1])))
cat(toJSON(out, digits = NA, auto_unbox = TRUE))
