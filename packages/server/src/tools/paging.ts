import { z } from 'zod';

/** How every list is asked for in parts. */
export const pageInput = {
  limit: z.int().min(1).max(200).optional().describe('At most so many rows, 1 to 200; 50 unless given.'),
  cursor: z.string().max(200).optional().describe('next_cursor of the previous page; leave it out for the first.'),
};

export const pageOutput = {
  next_cursor: z.string().optional().describe('Present when there are more: pass it as cursor.'),
};
