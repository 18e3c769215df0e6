// Where the lines of a chart stand: round times and round numbers, as many as can be read.

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const STEPS = [
  ...[1, 2, 5, 10, 15, 30].map((it) => it * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((it) => it * MINUTE),
  ...[1, 2, 3, 6, 12].map((it) => it * HOUR),
  ...[1, 2, 7, 14, 30, 90, 365].map((it) => it * DAY),
];

const two = (value) => String(value).padStart(2, "0");

/** Round moments between two, no more than that many, by the clock on the wall. */
export function times(begin, end, most = 7) {
  const step = STEPS.find((it) => (end - begin) / it <= most) ?? STEPS.at(-1);
  const shift = new Date(begin).getTimezoneOffset() * MINUTE;
  const found = [];
  for (let at = Math.ceil((begin - shift) / step) * step + shift; at <= end; at += step) {
    found.push({ at, text: label(new Date(at), step) });
  }
  return found;
}

function label(time, step) {
  const clock = two(time.getHours()) + ":" + two(time.getMinutes());
  if (step < MINUTE) {
    return clock + ":" + two(time.getSeconds());
  }
  return step >= DAY || clock === "00:00" ? two(time.getMonth() + 1) + "-" + two(time.getDate()) : clock;
}

/** Round numbers from zero to at least the largest. */
export function amounts(largest, most = 4) {
  const rough = Math.max(largest, 1e-9) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((it) => it * power).find((it) => it >= rough);
  const found = [];
  for (let count = 0; count === 0 || found.at(-1) < largest; count++) {
    found.push(count * step);
  }
  return found;
}
