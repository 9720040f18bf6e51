// Writes metrics in Prometheus' text format, version 0.0.4. Pure.
import { METRICS } from "../shared/metrics/metrics.ts";
import { metricOf, type SeriesValues } from "../shared/metrics/series.ts";

/** The media type of the format. */
export const EXPOSITION_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** The bound of a bucket's series; 0 of any other series. */
function boundOf(series: string): number {
  const [, bound] = /\ble="([^"]+)"/.exec(series) ?? [];
  return bound === "+Inf" ? Number.POSITIVE_INFINITY : Number(bound ?? 0);
}

const withoutBound = (series: string) => series.replace(/,?le="[^"]+"/, "");

/** By labels, and the buckets of each in order of their bounds. */
function compareSeries(one: string, other: string): number {
  const [mine, theirs] = [withoutBound(one), withoutBound(other)];
  if (mine !== theirs) return mine < theirs ? -1 : 1;
  return boundOf(one) - boundOf(other);
}

/** Metrics without labels that count have a value from the start, so that a rate can be told. */
function withZeros(values: SeriesValues): SeriesValues {
  const zeros = Object.entries(METRICS).filter(
    ([, { type, labels }]) => type === "counter" && labels.length === 0,
  );
  return { ...Object.fromEntries(zeros.map(([name]) => [name, 0])), ...values };
}

/** The text of all values, by metric in the order of the definitions. */
export function exposition(values: SeriesValues): string {
  const all = withZeros(values);
  const byMetric = Map.groupBy(Object.keys(all), metricOf);
  return Object.entries(METRICS)
    .flatMap(([name, { type, help }]) => {
      const series = byMetric.get(name)?.toSorted(compareSeries) ?? [];
      if (series.length === 0) return [];
      return [
        `# HELP ${name} ${help}`,
        `# TYPE ${name} ${type}`,
        ...series.map((it) => `${it} ${all[it]}`),
      ];
    })
    .map((line) => `${line}\n`)
    .join("");
}
