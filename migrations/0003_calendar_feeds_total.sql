-- The total of calendar feeds, kept beside every insert and delete as in 0001.
CREATE TRIGGER calendar_feeds_total_up AFTER INSERT ON calendar_feeds BEGIN
  INSERT INTO list_totals (account_id, name, total) VALUES (NEW.account_id, 'calendar_feeds', 1)
    ON CONFLICT (account_id, name) DO UPDATE SET total = total + 1;
END;
--> statement-breakpoint
CREATE TRIGGER calendar_feeds_total_down AFTER DELETE ON calendar_feeds BEGIN
  UPDATE list_totals SET total = total - 1 WHERE account_id = OLD.account_id AND name = 'calendar_feeds';
END;
