import { clock, DAY, HOUR, NOW } from './schedule.ts';

/** A task of the storefront as the design shows it. */
export interface SampleTask {
  readonly number: number;
  readonly title: string;
  readonly priority?: 'low' | 'medium' | 'high' | 'urgent';
  readonly labels?: readonly string[];
  /** Its acceptance criteria, and how many of them are ticked at first. */
  readonly criteria?: readonly string[];
  readonly ticked?: number;
  readonly assignee?: string;
  readonly blocked_by?: readonly string[];
  readonly state?: 'todo' | 'inprogress' | 'inreview' | 'done' | 'cancelled';
  /** When it was changed last. */
  readonly at: number;
  /** Who completed it. */
  readonly by?: string;
}

const some = (count: number, of: string): readonly string[] =>
  Array.from({ length: count }, (_, at) => `${of}, part ${at + 1}`);

const TODO: readonly SampleTask[] = [
  {
    number: 151,
    title: 'Show VAT on invoices in the EU',
    priority: 'high',
    labels: ['billing'],
    criteria: some(4, 'VAT'),
    at: NOW - 3 * HOUR,
  },
  {
    number: 149,
    title: 'Cache the price list for guests',
    priority: 'medium',
    labels: ['performance'],
    criteria: some(3, 'Cache'),
    at: NOW - 5 * HOUR,
  },
  { number: 147, title: 'Runbook for failed payouts', priority: 'low', labels: ['docs'], at: NOW - DAY },
  {
    number: 154,
    title: 'Complete postcodes in the address form',
    priority: 'medium',
    labels: ['web'],
    criteria: some(2, 'Postcodes'),
    assignee: 'Ines Park',
    at: NOW - DAY,
  },
  { number: 150, title: 'Replay the events of last week', priority: 'medium', labels: ['payments'], at: NOW - 2 * DAY },
  {
    number: 153,
    title: 'Remove the legacy coupon endpoint',
    priority: 'low',
    labels: ['backend'],
    blocked_by: ['SHOP-142'],
    at: NOW - 2 * DAY,
  },
  {
    number: 152,
    title: 'Turn on webhook retries for all shops',
    priority: 'high',
    labels: ['payments'],
    blocked_by: ['SHOP-142'],
    at: NOW - 2 * DAY,
  },
];

const WORKED_ON: readonly SampleTask[] = [
  {
    number: 138,
    title: 'Move sessions from memory to Redis',
    priority: 'high',
    labels: ['backend'],
    criteria: some(4, 'Sessions'),
    ticked: 2,
    at: clock('13:40'),
  },
  {
    number: 142,
    title: 'Retry card webhooks with backoff',
    priority: 'urgent',
    labels: ['payments', 'backend'],
    criteria: [
      'An event is stored before it is handled',
      'A handler that throws is retried with backoff',
      'A retried event never charges or refunds twice',
      'After three days the event opens a task',
      'The runbook says how to replay an event by hand',
    ],
    assignee: 'Ana Ruiz',
    at: NOW - DAY,
  },
  {
    number: 140,
    title: 'Card charged twice when the tab is closed while paying',
    priority: 'urgent',
    labels: ['payments'],
    criteria: some(3, 'Charge'),
    ticked: 1,
    at: clock('11:30'),
  },
  {
    number: 145,
    title: 'Translate checkout errors into Spanish',
    priority: 'medium',
    labels: ['i18n', 'web'],
    criteria: some(3, 'Errors'),
    ticked: 3,
    at: clock('13:50'),
  },
  {
    number: 144,
    title: 'Load reviews only when they scroll into view',
    priority: 'medium',
    labels: ['performance'],
    at: clock('13:30'),
  },
  { number: 156, title: 'Plan the tax work', priority: 'medium', labels: ['billing'], at: clock('14:00') },
  {
    number: 137,
    title: 'Export orders as CSV',
    priority: 'medium',
    labels: ['web'],
    criteria: some(4, 'Export'),
    ticked: 4,
    at: clock('13:30'),
  },
  {
    number: 133,
    title: 'Limit password resets to five an hour',
    priority: 'high',
    labels: ['security'],
    criteria: some(5, 'Limit'),
    ticked: 5,
    at: clock('13:10'),
  },
  {
    number: 129,
    title: 'Search forgives typing errors in brand names',
    priority: 'low',
    labels: ['search'],
    criteria: some(3, 'Search'),
    ticked: 2,
    at: clock('12:10'),
  },
];

const done = (number: number, title: string, by: string, at: number): SampleTask => ({
  number,
  title,
  by,
  at,
  state: 'done',
});

const DONE: readonly SampleTask[] = [
  done(136, 'Say “cart”, never “basket”', 'juno', clock('12:13:20')),
  done(135, 'Log out of every device', 'atlas', clock('11:49:02')),
  done(131, 'Smaller product images', 'pixel', clock('10:10')),
  done(130, 'Alert when payouts are late', 'moss', clock('07:58')),
  done(128, 'Delete carts after ninety days', 'kite', NOW - 26 * HOUR),
  done(127, 'Fix the flaky login test', 'atlas', NOW - 28 * HOUR),
  done(125, 'Keep the filter when going back', 'juno', NOW - 30 * HOUR),
  done(124, 'Sitemap for categories', 'pixel', NOW - 50 * HOUR),
  done(122, 'Gift cards: show the balance', 'kite', NOW - 54 * HOUR),
  done(121, 'Faster first paint on mobile', 'atlas', NOW - 74 * HOUR),
  done(119, 'Update the licence list', 'moss', NOW - 78 * HOUR),
  done(148, 'Measure how many events are lost', 'scout', NOW - 80 * HOUR),
  done(118, 'Retry failed e-mails once an hour', 'moss', NOW - 82 * HOUR),
  done(120, 'Safer payments', 'scout', NOW - 84 * HOUR),
  done(117, 'Keep the cart when signing in', 'juno', NOW - 86 * HOUR),
  done(116, 'Round prices the way each country does', 'kite', NOW - 88 * HOUR),
  done(115, 'Show delivery times per shop', 'atlas', NOW - 98 * HOUR),
  done(114, 'Warn before a card expires', 'moss', NOW - 100 * HOUR),
  done(113, 'One address form for all countries', 'pixel', NOW - 102 * HOUR),
  done(112, 'Answer 404 for old product pages', 'juno', NOW - 104 * HOUR),
  done(111, 'Sort reviews by usefulness', 'kite', NOW - 106 * HOUR),
  done(110, 'Name every test after its claim', 'atlas', NOW - 120 * HOUR),
  done(109, 'Log slow searches', 'pixel', NOW - 122 * HOUR),
  done(108, 'Print packing lists in A5', 'moss', NOW - 124 * HOUR),
];

const CANCELLED: readonly SampleTask[] = [
  { number: 107, title: 'Fax receipts', state: 'cancelled', at: NOW - 90 * HOUR },
  { number: 106, title: 'Second newsletter form', state: 'cancelled', at: NOW - 91 * HOUR },
  { number: 105, title: 'Coupons by text message', state: 'cancelled', at: NOW - 92 * HOUR },
];

export const STOREFRONT: readonly SampleTask[] = [...TODO, ...WORKED_ON, ...DONE, ...CANCELLED];

/** Tasks of the other projects, which runs are about. */
export const ELSEWHERE = {
  PAY: {
    81: 'Show the bank day on the payout page',
    84: 'Sign payout files with the new key',
    86: 'Check payout limits per country',
    88: 'Reconcile payouts per bank day',
    90: 'Payouts on bank holidays',
  },
  DOCS: { 31: 'Screenshots of the new checkout' },
} as const;

/** What a person wrote about SHOP-142. */
export const ABOUT_RETRIES = `When our endpoint answers 5xx, the payment provider tries once more and gives up. The order then stays _pending_ although the card was charged: 31 orders last week.

- Store every event in \`webhook_events\` before handling it.
- Retry after 1, 5 and 30 minutes, then every six hours, for three days.
- Use the queue in \`src/jobs\`. No new dependency.`;
