#!/usr/bin/env Rscript
# elo.R - rate players as chess does, by who did better on each trial, as
#
#	jq -r 'select(.type == "result") | [.policy, .trial, .score] | @csv' \
#	    results.jsonl | elo.R
#
# Bradley and Terry's model, ties half to each. A player that is 400 stronger
# does better on 10 of 11 trials; the mean is 0. Intervals of 95 % are from 1000
# samples of the trials, which are what is independent.
x <- read.csv(file("stdin"), FALSE, col.names = c("player", "trial", "score"))
score <- tapply(x$score, list(x$trial, factor(x$player, unique(x$player))), mean)
pairs <- combn(ncol(score), 2)
design <- apply(pairs, 2, function(p) replace(numeric(ncol(score)), p, c(1, -1)))
wins <- (sign(score[, pairs[1, ], drop = FALSE] -
	score[, pairs[2, ], drop = FALSE]) + 1) / 2
elo <- function(wins) {
	won <- colSums(wins) + 0.5 # half a trial more for each: finite ratings
	lost <- colSums(1 - wins) + 0.5
	fit <- glm.fit(t(design)[, -1, drop = FALSE], won / (won + lost),
		won + lost, family = quasibinomial(), intercept = FALSE)
	strength <- c(0, coef(fit)) * 400 / log(10)
	strength - mean(strength)
}
set.seed(1)
boot <- replicate(1000, elo(wins[sample(nrow(wins), replace = TRUE), ,
	drop = FALSE]))
table <- cbind(elo = elo(wins), t(apply(boot, 1, quantile, c(0.025, 0.975))))
rownames(table) <- colnames(score)
print(round(table[order(-table[, "elo"]), ]))
