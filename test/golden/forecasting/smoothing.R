# Values of R's package forecast that test/unit/numerics/forecasting/smoothing-golden.test.ts compares with.
# Run: Rscript test/golden/forecasting/smoothing.R > test/golden/forecasting/smoothing.json
suppressMessages(library(forecast))
library(jsonlite)

horizon <- 24
z <- qnorm(0.975)
errors <- function(f) (as.numeric(f$upper[, ncol(f$upper)]) - as.numeric(f$mean)) / z
of <- function(f) list(point = as.numeric(f$mean), errors = errors(f))

forms <- function(x) {
  trends <- list(c("N", FALSE), c("A", FALSE), c("A", TRUE))
  seasons <- if (frequency(x) > 1) c("N", "A", "M") else "N"
  found <- list()
  for (error in c("A", "M")) for (trend in trends) for (season in seasons) {
    model <- paste0(error, trend[1], season)
    fit <- ets(x, model, damped = as.logical(trend[2]), restrict = FALSE, opt.crit = "lik")
    states <- as.numeric(fit$initstate)
    own <- list(
      error = error, trend = if (as.logical(trend[2])) "Ad" else trend[1], season = season,
      par = as.list(fit$par[names(fit$par) %in% c("alpha", "beta", "gamma", "phi")]),
      states = as.list(setNames(states, names(fit$initstate))),
      logLikelihood = fit$loglik, parameters = length(fit$par) + 1, sigma2 = fit$sigma2
    )
    f <- forecast(fit, h = horizon, level = 95, simulate = FALSE)
    own$point <- as.numeric(f$mean)
    if (!(error == "A" && season == "M")) own$errors <- errors(f)
    found[[length(found) + 1]] <- own
  }
  found
}

series <- list(AirPassengers = AirPassengers, USAccDeaths = USAccDeaths, UKgas = UKgas, Nile = Nile,
               lynx = lynx, WWWusage = WWWusage)
cases <- lapply(names(series), function(name) {
  x <- series[[name]]
  m <- frequency(x)
  own <- list(name = name, period = m, values = as.numeric(x), horizon = horizon,
    lambda = BoxCox.lambda(x, method = "guerrero", lower = 0, upper = 1),
    autocorrelations = as.numeric(acf(x, lag.max = max(12, m), plot = FALSE)$acf),
    naive = of(naive(x, h = horizon, level = 95)), drift = of(rwf(x, drift = TRUE, h = horizon, level = 95)),
    ses = list(alpha = as.numeric(ses(x)$model$par["alpha"]), logLikelihood = ses(x)$model$loglik),
    theta = as.numeric(thetaf(x, h = horizon)$mean), forms = forms(x), chosen = ets(x)$aicc)
  if (m > 1) {
    own$snaive <- of(snaive(x, h = horizon, level = 95))
    own$additive <- as.numeric(decompose(x, "additive")$figure)
    own$multiplicative <- as.numeric(decompose(x, "multiplicative")$figure)
    own$start <- as.numeric(cycle(x)[1])
  }
  own
})
cat(toJSON(list(generated = as.character(Sys.Date()), r = R.version.string,
  forecast = as.character(packageVersion("forecast")), cases = cases), auto_unbox = TRUE, digits = NA, null = "null"))
