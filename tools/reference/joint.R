# The joint machines with a Gaussian kernel, trained by kernlab: the fixture joint/gaussian.json.
#
#     apt-get install r-base-core r-cran-kernlab && Rscript tools/reference/joint.R
#
# spoc-svc is Crammer and Singer's machine:  min 1/2 sum_k |w_k|^2 + C sum_i xi_i,  f_y >= f_k + 1 - xi_i, no offsets.
# kbb-svc is Weston and Watkins's:  min 1/2 sum_k |w_k|^2 + C sum_i sum_k xi_ik,  f_y >= f_k + 2 - xi_ik, with offsets
# that are penalised as weights are: the kernel is k + 1. `primal` and `dual` are computed here from kernlab's
# coefficients (the objective that it returns itself is not set), and so are the `scores` of the first rows.

suppressMessages(library(kernlab))

root <- normalizePath(file.path(dirname(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))), "..", ".."))

run <- function(file, type, gamma, cost) {
  table <- read.csv(file.path(root, "data", file))
  x <- scale(as.matrix(table[, -ncol(table)]), scale = FALSE)
  x <- sweep(x, 2, sqrt(colMeans(x^2)), "/")
  y <- factor(table[[ncol(table)]])
  model <- ksvm(x, y, type = type, kernel = "rbfdot", kpar = list(sigma = gamma), C = cost, tol = 1e-10, scaled = FALSE)
  own <- cbind(seq_along(y), as.integer(y))
  tau <- alpha(model)
  if (type == "kbb-svc") {
    # One column for each class but the row's own; tau is what each function has of the row.
    others <- tau
    tau <- matrix(0, nrow(x), nlevels(y))
    for (i in seq_along(y)) tau[i, -as.integer(y[i])] <- -others[i, ]
    tau[own] <- -rowSums(tau)
  }
  constant <- if (type == "kbb-svc") 1 else 0
  margin <- if (type == "kbb-svc") 2 else 1
  scores <- (exp(-gamma * as.matrix(dist(x))^2) + constant) %*% tau
  slack <- pmax(margin - (scores[own] - scores), 0)
  slack[own] <- 0
  loss <- if (type == "kbb-svc") sum(slack) else sum(apply(slack, 1, max))
  length <- 0.5 * sum(tau * scores)
  primal <- length + cost * loss
  dual <- margin * sum(tau[own]) - length
  cat(sprintf("%s %s C=%g: primal %.10g, dual %.10g\n", file, type, cost, primal, dual))
  numbers <- function(v) paste(sprintf("%.12g", v), collapse = ", ")
  sprintf(
    '  {"file": "%s", "type": "%s", "gamma": %g, "constant": %g, "cost": %g, "primal": %.12g, "dual": %.12g,\n   "scores": [%s]}',
    file, type, gamma, constant, cost, primal, dual, numbers(t(scores[seq(1, nrow(x), 10), ]))
  )
}

cases <- c()
for (type in c("kbb-svc", "spoc-svc")) {
  for (case in list(list("iris.csv", 0.5, 1), list("iris.csv", 0.5, 10), list("wine.csv", 0.1, 1), list("wine.csv", 0.02, 10))) {
    cases <- c(cases, run(case[[1]], type, case[[2]], case[[3]]))
  }
}
programs <- sprintf('{"R": "%s", "kernlab": "%s"}', getRversion(), packageVersion("kernlab"))
writeLines(
  c('{', ' "script": "tools/reference/joint.R",', sprintf(' "programs": %s,', programs), ' "cases": [',
    paste(cases, collapse = ",\n"), ' ]', '}'),
  file.path(root, "crates", "mercer", "tests", "fixtures", "joint", "gaussian.json")
)
