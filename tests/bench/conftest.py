"""What the tests of the benchmark run under: one thread for each matrix product, as commands do."""

from hallmark.cli.bench.evaluate import one_thread_for_each_product

one_thread_for_each_product()
