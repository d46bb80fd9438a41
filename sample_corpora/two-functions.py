def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)


def fact(n):
    if n < 2:
        return 1
    return n * fact(n - 1)


for n in range(10):
    print(n, fib(n), fact(n))
