#!/usr/bin/env Rscript
# logistic.R FORMULA - fit a logistic model to the cells of a sweep, as
#
#	pb-bench -r pacbot -p flee -n 200 --vary lives=1,3 --vary levels=1,2 \
#	    --csv | logistic.R 'lives * levels'
#
# Constants are factors: each value is compared with the first. Prints each
# coefficient as an odds ratio with its 95 % interval.
cells <- read.csv(file("stdin"), stringsAsFactors = TRUE)
right <- commandArgs(TRUE)[1]
for (name in all.vars(as.formula(paste("~", right))))
	cells[[name]] <- factor(cells[[name]], unique(cells[[name]]))
fit <- glm(as.formula(paste("cbind(k, n - k) ~", right)), binomial, cells)
print(round(exp(cbind(odds = coef(fit), confint.default(fit))), 3))
