// How did an answer come by its place? What each signal added, the way through the graph, the time that was meant.
import type { Explanation } from "../types";
import { day, spoken } from "../words";
import { Bar } from "./small";

const SIGNALS: Record<string, string> = { semantic: "Meaning", keyword: "Words", graph: "Graph", temporal: "Time" };

export function Why({ explanation }: { explanation: Explanation }) {
  const signals = Object.entries(explanation.signals);
  const modifiers = Object.entries(explanation.modifiers).filter(([, value]) => value !== 0);
  const most = Math.max(0.0001, ...signals.map(([, one]) => Math.abs(one.score)), ...modifiers.map(([, value]) => Math.abs(value)));
  return (
    <div class="signals">
      {signals.map(([name, one]) => (
        <Bar key={name} label={SIGNALS[name] ?? spoken(name)} part={one.score / most} told={one.score === 0 ? "–" : one.score.toFixed(2)} />
      ))}
      {modifiers.map(([name, value]) => (
        <Bar key={name} label={spoken(name)} part={value / most} told={value.toFixed(2)} />
      ))}
      {explanation.path.length > 0 && (
        <p class="path">
          <span class="about">Way </span>
          {explanation.path.map((one, place) => (
            <span key={place} class={place % 2 ? "path-relation" : "path-node"}>
              {place % 2 ? ` ${one.toLowerCase().replaceAll("_", " ")} ` : one}
            </span>
          ))}
        </p>
      )}
      {explanation.window && (
        <p>
          <span class="about">Time </span>“{explanation.window.text}”
          {explanation.window.start && `, from ${day(explanation.window.start)}`}
          {explanation.days_outside ? `, ${Math.round(explanation.days_outside)} days outside` : ""}
        </p>
      )}
    </div>
  );
}
