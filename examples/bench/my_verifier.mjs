// A verifier of one's own in another language: one JSON object a line in, one a line out.
import { createInterface } from "node:readline";

for await (const line of createInterface({ input: process.stdin })) {
  const { bibtex_key, fields } = JSON.parse(line);
  const future = Number(fields.year) > 2026;
  console.log(
    JSON.stringify({
      bibtex_key,
      label: future ? "HALLUCINATED" : "VALID",
      confidence: future ? 0.95 : 0.6,
      reason: future ? `the year ${fields.year} lies in the future` : "",
    }),
  );
}
