/** A line of the report. */
export interface Finding {
  readonly subject: string;
  readonly figure: string;
  readonly against?: string;
  readonly ratio?: number;
  readonly target?: string;
  readonly met?: boolean;
}

export interface Section {
  readonly title: string;
  readonly how: string;
  readonly findings: readonly Finding[];
}

const cell = (value: string | undefined): string => value ?? '';

const row = ({ subject, figure, against, ratio, target, met }: Finding): string => {
  const verdict = met === undefined ? '' : met ? 'met' : 'missed';
  const cells = [
    subject,
    figure,
    cell(against),
    ratio === undefined ? '' : `${ratio.toFixed(2)} ×`,
    cell(target),
    verdict,
  ];
  return `| ${cells.join(' | ')} |`;
};

export const sectionText = ({ title, how, findings }: Section): string =>
  [
    `## ${title}`,
    '',
    how,
    '',
    '| measured | figure | against | ratio | target | |',
    '|---|---|---|---|---|---|',
    ...findings.map(row),
    '',
  ].join('\n');

/** The targets that were missed, a line for each. */
export const missedIn = (sections: readonly Section[]): readonly string[] =>
  sections.flatMap(({ title, findings }) =>
    findings
      .filter(({ met }) => met === false)
      .map(({ subject, figure, ratio, target }) => {
        const measured = ratio === undefined ? figure : `${figure}, ${ratio.toFixed(2)} ×`;
        return `${title}: ${subject}: ${measured}, target ${target ?? 'none'}`;
      }),
  );

interface KeptSection {
  readonly title: string;
  readonly text: string;
}

/** The sections of an earlier report that were not measured again. */
function keptOf(earlier: string, sections: readonly Section[]): readonly KeptSection[] {
  const titles = new Set(sections.map(({ title }) => title));
  return earlier
    .split(/^## /m)
    .slice(1)
    .map((text) => ({ title: text.split('\n', 1)[0] ?? '', text: `## ${text.trimEnd()}\n` }))
    .filter(({ title }) => !titles.has(title));
}

const HEAD = [
  '# Benchmarks',
  '',
  'Written by `npm run bench`. Every comparison is made in one run, in turns, on one machine; the ratio is the median of',
  'the rounds. Absolute figures say as much about the machine as about Errand.',
];

/** The report: what was measured now, and then the rest of the earlier report. */
export function reportText(
  facts: readonly string[],
  sections: readonly Section[],
  earlier: string,
  head: readonly string[] = HEAD,
): string {
  const kept = keptOf(earlier, sections);
  const notNow = `From earlier runs: ${kept.map(({ title }) => title).join('; ')}`;
  return [
    ...head,
    '',
    ...[...facts, ...(kept.length === 0 ? [] : [notNow])].map((fact) => `- ${fact}`),
    '',
    ...sections.map(sectionText),
    ...kept.map(({ text }) => text),
  ].join('\n');
}

export const perSecond = (value: number): string => `${Math.round(value).toLocaleString('en')}/s`;
export const milliseconds = (value: number): string => `${value < 10 ? value.toFixed(2) : Math.round(value)} ms`;
