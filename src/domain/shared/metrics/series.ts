// Series of metrics as Prometheus' text format names them, and sums of them. Pure.
import {
  COUNTED,
  type CounterName,
  type HistogramName,
  type LabelsOf,
  METRICS,
  type MeasuredName,
} from "./metrics.ts";

/** Values by series: `name{label="value"}`. */
export type SeriesValues = Readonly<Record<string, number>>;

const escapeLabel = (value: string) =>
  value.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');

/** A series' name: that of its metric, and its labels in order. */
export function seriesName(name: string, labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? name : `${name}{${pairs.join(",")}}`;
}

/** A measured value. */
export function measure<Name extends MeasuredName>(
  name: Name,
  labels: LabelsOf<Name>,
  value: number,
): SeriesValues {
  return { [seriesName(name, labels)]: value };
}

/** The metric that a series belongs to. */
export function metricOf(series: string): string {
  const [name = ""] = series.split("{");
  if (name in METRICS) return name;
  return name.replace(/_(?:bucket|sum|count)$/, "");
}

/** The names of a histogram's series with some labels, and the bound of each bucket. */
type Histogram = {
  readonly buckets: readonly (readonly [series: string, bound: number])[];
  readonly sum: string;
  readonly count: string;
};

/** By the histogram's own name: labels have few values, and writing the names is most of the work of a value. */
const histograms = new Map<string, Histogram>();

function histogramOf<Name extends HistogramName>(name: Name, labels: LabelsOf<Name>): Histogram {
  const key = seriesName(name, labels);
  const known = histograms.get(key);
  if (known !== undefined) return known;
  const bucket = (le: string) => seriesName(`${name}_bucket`, { ...labels, le });
  const histogram: Histogram = {
    buckets: [
      ...COUNTED[name].buckets.map((bound) => [bucket(String(bound)), bound] as const),
      [bucket("+Inf"), Number.POSITIVE_INFINITY],
    ],
    sum: seriesName(`${name}_sum`, labels),
    count: seriesName(`${name}_count`, labels),
  };
  histograms.set(key, histogram);
  return histogram;
}

/** Sums of counted series. */
export class SeriesSums {
  #values: Record<string, number> = {};

  get isEmpty(): boolean {
    return Object.keys(this.#values).length === 0;
  }

  get values(): SeriesValues {
    return this.#values;
  }

  /** Counts something. */
  count<Name extends CounterName>(name: Name, labels: LabelsOf<Name>, by = 1): void {
    this.#add(seriesName(name, labels), by);
  }

  /** Adds a value (in the histogram's unit) to each bucket that includes it. */
  observe<Name extends HistogramName>(name: Name, labels: LabelsOf<Name>, value: number): void {
    const { buckets, sum, count } = histogramOf(name, labels);
    for (const [series, bound] of buckets) this.#add(series, value <= bound ? 1 : 0);
    this.#add(sum, value);
    this.#add(count, 1);
  }

  /** Adds other sums. Series of unknown metrics, of a removed version's, are left out. */
  merge(values: SeriesValues): void {
    for (const [series, value] of Object.entries(values)) {
      if (metricOf(series) in COUNTED) this.#add(series, value);
    }
  }

  /** Takes everything: the sums start again at nothing. */
  take(): SeriesValues {
    const taken = this.#values;
    this.#values = {};
    return taken;
  }

  #add(series: string, by: number): void {
    this.#values[series] = (this.#values[series] ?? 0) + by;
  }
}

/** How much each series has grown since `before`. */
export function growth(before: SeriesValues, now: SeriesValues): SeriesValues {
  return Object.fromEntries(
    Object.entries(now).map(([series, value]) => [series, value - (before[series] ?? 0)]),
  );
}
