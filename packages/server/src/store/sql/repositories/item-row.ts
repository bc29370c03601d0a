/** The columns of an item in lists of the tracker. */
export const ITEM_ROW = `
  work_items.id, work_items.project_id, work_items.state_id, work_items.title, work_items.priority,
  work_items.target_date, work_items.version, work_items.updated_at,
  states.name as state_name, states.state_group,
  (select projects.key || '-' || work_items.number from projects where projects.id = work_items.project_id) as key`;
