ALTER TABLE `events` ADD `series_id` text;--> statement-breakpoint
CREATE INDEX `events_series` ON `events` (`account_id`,`series_id`);--> statement-breakpoint
-- The overrides of a series are a flat list: each says whose it is, not only what it was made by.
WITH RECURSIVE `chain`(`account_id`, `id`, `series_id`) AS (
  SELECT `account_id`, `id`, `id` FROM `events` AS `root`
    WHERE NOT EXISTS (SELECT 1 FROM `events` AS `parent` WHERE `parent`.`id` = `root`.`parent_id`)
  UNION ALL SELECT `child`.`account_id`, `child`.`id`, `chain`.`series_id` FROM `chain`
    JOIN `events` AS `child`
      ON `child`.`account_id` = `chain`.`account_id` AND `child`.`parent_id` = `chain`.`id`)
UPDATE `events` SET `series_id` = `chain`.`series_id` FROM `chain` WHERE `chain`.`id` = `events`.`id`;--> statement-breakpoint
DROP INDEX `events_parent`;--> statement-breakpoint
UPDATE `past_events` SET `events` = (
  SELECT json_group_array(json_set(`value`, '$.seriesId', `past_events`.`root_id`))
  FROM json_each(`past_events`.`events`));--> statement-breakpoint
-- What the previous version writes while the new one is deployed.
CREATE TRIGGER `events_series_of_new` AFTER INSERT ON `events` WHEN new.`series_id` IS NULL BEGIN
  UPDATE `events` SET `series_id` = coalesce(
    (SELECT `series_id` FROM `events` AS `parent` WHERE `parent`.`id` = new.`parent_id`), new.`id`)
  WHERE `id` = new.`id`;
END;--> statement-breakpoint
CREATE TRIGGER `events_series_of_moved` AFTER UPDATE OF `parent_id` ON `events`
WHEN new.`parent_id` IS NOT old.`parent_id` BEGIN
  UPDATE `events` SET `series_id` = coalesce(
    (SELECT `series_id` FROM `events` AS `parent` WHERE `parent`.`id` = new.`parent_id`), new.`id`)
  WHERE `id` = new.`id`;
END;
