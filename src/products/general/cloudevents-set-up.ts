// CloudEvents 1.0 from any producer.
import type { SetUp } from "../set-up.ts";
import sample from "./cloudevents-sample.json" with { type: "json" };

export const cloudevents: SetUp = {
  kind: "incoming",
  steps: [
    "Send events with POST to this URL: <URL>",
    "Send them as JSON, with the content type application/cloudevents+json.",
    "Events with the same source and subject are one alert. A type that ends in .resolved, .closed, .recovered, .cleared, .ok or .up resolves it, one in .acknowledged acknowledges it.",
  ],
  snippets: [
    {
      title: "Send an event",
      format: "shell",
      text: `curl -fsS '<URL>' \\
  -H 'Content-Type: application/cloudevents+json' \\
  -H 'service-token: <TOKEN>' \\
  -d '{
    "specversion": "1.0",
    "id": "1",
    "type": "com.example.disk.full",
    "source": "/shop",
    "subject": "db-1",
    "data": { "description": "97 % used" }
  }'`,
    },
  ],
  standby: "Send each event to the standby's URL as well: <STANDBY_URL>",
  sample,
};
