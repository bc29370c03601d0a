import { z } from 'zod';

/** The paging arguments of every list. */
export const pageInput = {
  limit: z.int().min(1).max(200).optional().describe('At most so many rows, 1 to 200; 50 unless given.'),
  cursor: z.string().max(200).optional().describe('next_cursor of the previous page.'),
};

export const pageOutput = {
  next_cursor: z.string().optional().describe('Pass it as cursor for more rows; left out on the last page.'),
  remaining: z.int().optional().describe('Rows left, at least.'),
  hint: z.string().optional().describe('What is left or shortened, and how to get it.'),
};
