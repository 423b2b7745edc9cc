# Machines that kernlab has too: the fixture kernlab.json.
#
#     apt-get install r-base-core r-cran-kernlab && Rscript tools/reference/kernlab.R
#
# kcca     min over alpha, beta of -alpha' Kx Ky beta with alpha'(Kx^2 + gamma Kx)alpha = 1 (and 1e-6 on the diagonal), on matrices that are
#          centred here, for kernlab does not; `first` and `second` are the values of the functions at the rows, of unit length.
# kkmeans  the best of 20 starts; `inertia` is computed here, for kernlab tells that of the rows and not of feature space.
# rvm      without an offset, and 1e-6 on the diagonal of K.
# kfa is left out: its matrix has rows in an order that is drawn and columns in that of the data, and it takes positions of the one for the other.

suppressMessages(library(kernlab))

root <- normalizePath(file.path(dirname(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))), "..", ".."))

standardised <- function(file, rows) {
  table <- read.csv(file.path(root, "data", file))
  x <- as.matrix(table[seq_len(rows), -ncol(table)])
  x <- scale(x, scale = FALSE)
  sweep(x, 2, sqrt(colMeans(x^2)), "/")
}

gaussian <- function(x, gamma) exp(-gamma * as.matrix(dist(x))^2)

centred <- function(k) {
  n <- nrow(k)
  h <- diag(n) - 1 / n
  h %*% k %*% h
}

json <- function(value) {
  if (is.list(value)) {
    inner <- paste0("\"", names(value), "\": ", vapply(value, json, ""), collapse = ", ")
    return(paste0("{", inner, "}"))
  }
  if (is.matrix(value)) return(paste0("[", paste(apply(value, 1, json), collapse = ", "), "]"))
  text <- if (is.character(value)) paste0("\"", value, "\"") else format(signif(value, 12), digits = 12, trim = TRUE, scientific = FALSE)
  if (length(value) == 1 && is.null(attr(value, "list"))) text else paste0("[", paste(trimws(text), collapse = ", "), "]")
}

unit <- function(m) sweep(m, 2, sqrt(colSums(m^2)), "/")

kcca_case <- function() {
  rows <- 60
  x <- standardised("wine.csv", rows)
  views <- list(x[, 1:6], x[, 7:13])
  both <- lapply(views, function(view) centred(gaussian(view, 0.1)))
  # The kernel of two numbers of rows: those of the second view begin after the first.
  k <- function(a, b = NULL) {
    view <- if (a > rows) 2 else 1
    both[[view]][a - (view - 1) * rows, b - (view - 1) * rows]
  }
  class(k) <- "kernel"
  found <- kcca(matrix(1:rows), matrix(rows + 1:rows), kernel = k, gamma = 0.6, ncomps = 4)
  first <- unit(both[[1]] %*% xcoef(found))
  second <- unit(both[[2]] %*% ycoef(found))
  # Every pair comes twice, with one sign and with the other.
  kept <- colSums(first * second) > 0
  first <- first[, kept]
  second <- second[, kept]
  list(rows = rows, gamma = 0.6, first = t(first), second = t(second), correlations = colSums(first * second))
}

kkmeans_case <- function() {
  x <- standardised("wine.csv", 178)
  k <- gaussian(x, 0.05)
  best <- NULL
  for (seed in 1:20) {
    set.seed(seed)
    cluster <- as.integer(kkmeans(x, centers = 3, kernel = "rbfdot", kpar = list(sigma = 0.05))@.Data)
    inertia <- sum(vapply(unique(cluster), function(c) {
      own <- which(cluster == c)
      sum(diag(k)[own]) - sum(k[own, own]) / length(own)
    }, 0))
    if (is.null(best) || inertia < best$inertia) best <- list(inertia = inertia, cluster = cluster)
  }
  list(gamma = 0.05, inertia = best$inertia, clusters = match(best$cluster, unique(best$cluster)) - 1)
}

rvm_case <- function() {
  x <- seq(-10, 10, length.out = 80)
  y <- sin(x) / x + 0.1 * sin(37 * x + 5 * x^2)
  model <- rvm(matrix(x), y, kernel = "rbfdot", kpar = list(sigma = 0.1), iterations = 4000, minmaxdiff = 1e-6)
  list(x = x, y = y, gamma = 0.1, noise = nvar(model), fitted = as.vector(fitted(model)), relevant = RVindex(model) - 1)
}

all <- list(
  script = "tools/reference/kernlab.R",
  programs = list(R = paste(R.version$major, R.version$minor, sep = "."), kernlab = as.character(packageVersion("kernlab"))),
  kcca = kcca_case(), kkmeans = kkmeans_case(), rvm = rvm_case()
)
writeLines(json(all), file.path(root, "crates/mercer/tests/fixtures/kernlab.json"))
