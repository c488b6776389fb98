#!/usr/bin/env python3
"""Index expressions as a checkout of tinygrad makes them: the kernels of some tensor programs, printed as trees
that uproof reads. Nothing is compiled or run.

    adapters/kernels.py ~/tinygrad >kernels.txt
    uproof check --adapter 'adapters/tinygrad.py ~/tinygrad' kernels.txt

It takes a release whose kernels hold index expressions as they are scheduled: 0.13.0 (earlier ones hold views).
Programs that it does not have, or cannot schedule, are told on standard error and left out.
"""
import os, sys

PROGRAMS = {
  "conv": lambda T: T.empty(4, 3, 17, 19).conv2d(T.empty(8, 3, 3, 3), padding=1, stride=2).relu(),
  "conv_dilated": lambda T: T.empty(2, 4, 21, 21).conv2d(T.empty(4, 4, 3, 3), padding=2, dilation=2),
  "conv_groups": lambda T: T.empty(2, 8, 9, 9).conv2d(T.empty(8, 2, 3, 3), groups=4, padding=1),
  "conv_transpose": lambda T: T.empty(2, 4, 9, 7).conv_transpose2d(T.empty(4, 6, 3, 3), stride=2, padding=1, output_padding=1),
  "conv_transpose_1d": lambda T: T.empty(2, 4, 15).conv_transpose2d(T.empty(4, 6, 5), stride=3, dilation=2),
  "conv_gradient": lambda T: gradient(T, T.empty(2, 3, 11, 11), lambda x: x.conv2d(T.empty(4, 3, 3, 3), padding=1, stride=2)),
  "max_pool": lambda T: T.empty(2, 3, 15, 15).max_pool2d((3, 3), stride=2, padding=1),
  "max_pool_gradient": lambda T: gradient(T, T.empty(2, 3, 11, 11), lambda x: x.max_pool2d((3, 3), stride=2, padding=1)),
  "avg_pool": lambda T: T.empty(2, 3, 15, 15).avg_pool2d((3, 3), stride=2, padding=1, count_include_pad=False),
  "flip_pad": lambda T: T.empty(5, 7).flip(0).pad(((1, 2), (3, 0))) + T.empty(8, 10).flip((0, 1)),
  "cumsum": lambda T: T.empty(600).cumsum(),
  "cumsum_rows": lambda T: T.empty(7, 300).cumsum(1),
  "roll": lambda T: T.empty(12, 10).roll(3, 0).roll(-2, 1).contiguous(),
  "shrink_pad": lambda T: T.empty(20, 20).shrink(((3, 17), (2, 18))).pad(((5, 1), (0, 7))).reshape(20, 23).permute(1, 0).contiguous(),
  "pad_shrink": lambda T: T.empty(9, 11).pad(((2, 3), (4, 1))).shrink(((1, 12), (0, 13))).flip(1)[::2, 1::3].contiguous(),
  "interpolate": lambda T: T.empty(1, 3, 10, 10).interpolate((17, 23)),
  "interpolate_nearest": lambda T: T.empty(1, 3, 10, 10).interpolate((17, 23), mode="nearest"),
  "triangles": lambda T: T.empty(33, 33).tril(1) + T.empty(33, 33).triu(-2),
  "repeat": lambda T: T.empty(3, 5).repeat((4, 3)).reshape(15, 12)[::-2, ::3].contiguous(),
  "strides": lambda T: T.empty(50, 60)[3:47:4, -2:5:-3].contiguous(),
  "strides_gradient": lambda T: gradient(T, T.empty(20, 20), lambda x: x[::2, ::-3]),
  "diagonals": lambda T: T.empty(17).diag() + T.empty(17, 17).diagonal().reshape(17, 1),
  "gather": lambda T: T.empty(10, 9).gather(1, T.zeros(10, 4, dtype="int32").contiguous()),
  "cat": lambda T: T.empty(3, 4).cat(T.empty(5, 4), T.empty(1, 4)).reshape(6, 6).contiguous(),
  "stack": lambda T: T.stack(T.empty(3, 4), T.empty(3, 4), dim=1).reshape(8, 3).contiguous(),
  "softmax": lambda T: T.empty(4, 33).softmax(),
  "attention": lambda T: T.empty(2, 4, 16, 8).scaled_dot_product_attention(T.empty(2, 4, 16, 8), T.empty(2, 4, 16, 8), is_causal=True),
  "argmax": lambda T: T.empty(6, 50).argmax(1),
  "sort": lambda T: T.empty(37).sort()[0],
  "arange": lambda T: T.arange(5, 400, 3).reshape(-1, 12).flip(1).contiguous(),
  "eye": lambda T: T.eye(19) + T.empty(19, 19),
  "pixel_shuffle": lambda T: T.empty(1, 18, 5, 5).rearrange("b (c h2 w2) h w -> b c (h h2) (w w2)", h2=3, w2=3).contiguous(),
  "divide": lambda T: T.empty(30, dtype="int32") // 3 % 7,
  "pad_reflect": lambda T: T.empty(1, 2, 8, 8).pad((3, 2, 1, 4), mode="reflect").contiguous(),
  "pad_circular": lambda T: T.empty(1, 2, 8, 8).pad((3, 2, 1, 4), mode="circular").contiguous(),
  "random": lambda T: T.rand(33, 5),
}


def gradient(T, x, f): return f(x).sum().gradient(x)[0]


def kernels(t):
  """What is to be run for the tensor: the SINK of each kernel."""
  return [call.src[0] for call in t.schedule_linear().src if call.src]


def main():
  if len(sys.argv) != 2 or sys.argv[1].startswith("-"): sys.exit(__doc__)
  if not os.path.isdir(os.path.join(sys.argv[1], "tinygrad")): sys.exit(f"{sys.argv[1]}: no tinygrad package in it")
  os.environ.setdefault("DEV", "CPU")
  sys.path.insert(0, sys.argv[1])
  from tinygrad import Tensor
  if not hasattr(Tensor, "schedule_linear"): sys.exit(f"{sys.argv[1]}: a release before 0.13.0")
  seen, programs = set(), 0
  for name, make in PROGRAMS.items():
    try: trees = [str(k) for k in kernels(make(Tensor))]
    except Exception as e:
      print(f"{name} left out: {type(e).__name__}: {e}".replace("\n", " ")[:160], file=sys.stderr)
      continue
    programs += 1
    for tree in trees:
      if tree not in seen: print(tree)
      seen.add(tree)
  print(f"{len(seen)} kernels of {programs} programs", file=sys.stderr)


if __name__ == "__main__":
  main()
