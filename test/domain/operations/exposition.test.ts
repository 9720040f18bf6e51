// The text format of Prometheus.
import { expect, test } from "vitest";
import { exposition } from "../../../src/domain/operations/exposition.ts";
import { METRICS } from "../../../src/domain/shared/metrics/metrics.ts";
import { measure, SeriesSums } from "../../../src/domain/shared/metrics/series.ts";

test("writes counters, gauges and histograms, each with its type and its series in order", () => {
  const sums = new SeriesSums();
  sums.count("tocsin_attempts_total", { channel: "sms", outcome: 'a "b"\\\n' });
  sums.count("tocsin_attempts_total", { channel: "email", outcome: "sent" }, 2);
  sums.observe("tocsin_queue_age_seconds", {}, 0.05);
  sums.observe("tocsin_queue_age_seconds", {}, 400);
  const text = exposition({
    ...sums.values,
    ...measure("tocsin_alerts", { status: "open" }, 3),
  });
  expect(text).toContain(
    `# TYPE tocsin_attempts_total counter
tocsin_attempts_total{channel="email",outcome="sent"} 2
tocsin_attempts_total{channel="sms",outcome="a \\"b\\"\\\\\\n"} 1
`,
  );
  const buckets = text.split("\n").filter((it) => it.startsWith("tocsin_queue_age_seconds"));
  expect(buckets.slice(0, 4)).toEqual([
    'tocsin_queue_age_seconds_bucket{le="0.01"} 0',
    'tocsin_queue_age_seconds_bucket{le="0.025"} 0',
    'tocsin_queue_age_seconds_bucket{le="0.05"} 1',
    'tocsin_queue_age_seconds_bucket{le="0.1"} 1',
  ]);
  expect(buckets.slice(-3)).toEqual([
    'tocsin_queue_age_seconds_bucket{le="+Inf"} 2',
    "tocsin_queue_age_seconds_count 2",
    "tocsin_queue_age_seconds_sum 400.05",
  ]);
  expect(text).toContain('# TYPE tocsin_alerts gauge\ntocsin_alerts{status="open"} 3\n');
  // A rate is known from the first event on.
  expect(text).toContain("\ntocsin_events_accepted_total 0\n");
  expect(text.endsWith("\n")).toBe(true);
});

test("sums are taken, merged and started again; series of removed metrics are left out", () => {
  const sums = new SeriesSums();
  sums.count("tocsin_dead_letters_total", {});
  const taken = sums.take();
  expect(sums.isEmpty).toBe(true);
  sums.merge({ ...taken, tocsin_removed_total: 7 });
  sums.merge(taken);
  expect(sums.values).toEqual({ tocsin_dead_letters_total: 2 });
});

test("metrics follow Prometheus' naming", () => {
  for (const [name, { type, help }] of Object.entries(METRICS)) {
    expect(name).toMatch(type === "counter" ? /^tocsin_[a-z_]+_total$/ : /^tocsin_[a-z_]+$/);
    if (type !== "counter") expect(name).not.toMatch(/_total$/);
    expect(help).toMatch(/^[^\n\\]+\.?$/);
  }
});
