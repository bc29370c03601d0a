import { expect, it } from 'vitest';
import { missedIn, reportText, type Section } from './report.ts';

const section = (title: string, figure: string): Section => ({
  title,
  how: 'One call at a time.',
  findings: [{ subject: 'list', figure }],
});

it('replaces the sections that were measured again, and keeps the others as they were', () => {
  const earlier = reportText(['2 cores'], [section('Reading', '1/s'), section('Before and after', '7/s')], '');

  const report = reportText(['4 cores'], [section('Reading', '2/s'), section('Writing', '3/s')], earlier);

  expect(report.match(/^## .*/gm)).toEqual(['## Reading', '## Writing', '## Before and after']);
  expect(report).toContain('- 4 cores\n- From earlier runs: Before and after\n');
  expect(report.match(/\d\/s/g)).toEqual(['2/s', '3/s', '7/s']);
});

it('is the same after a run with the same figures', () => {
  const sections = [section('Reading', '1/s')];
  const report = reportText(['2 cores'], sections, '');

  expect(reportText(['2 cores'], sections, report)).toBe(report);
});

it('names each target that was missed, and no others', () => {
  const findings = [
    { subject: 'a server', figure: '620 ms', target: '≤ 500 ms', met: false },
    { subject: 'a command', figure: '90 ms', target: '≤ 250 ms', met: true },
    { subject: 'a list over REST', figure: '900 µs', ratio: 1.5, target: '≤ 1.1 ×', met: false },
    { subject: 'memory', figure: '80 MiB' },
  ];

  expect(missedIn([{ title: 'Starting', how: '', findings }, section('Reading', '1/s')])).toEqual([
    'Starting: a server: 620 ms, target ≤ 500 ms',
    'Starting: a list over REST: 900 µs, 1.50 ×, target ≤ 1.1 ×',
  ]);
});
