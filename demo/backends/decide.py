# A back end that asks the visitor before it acts, on top of harbour.py: python3 decide.py [port]
from harbour import Handler, serve

booked = {}  # by the id of the decision; keep it in your database, with a unique key
nights = {"type": "integer", "title": "Nights", "minimum": 1, "maximum": 14}
schema = {"type": "object", "properties": {"berth": {"const": "A4", "title": "Berth"}, "nights": nights}, "required": ["nights"]}

def answer(run):
    content = run["message"]["content"]
    decision = next((item for item in content if item.get("sub_type") == "tool_approval"), None)
    if decision:
        yield {"event": "message.delta", "data": {"delta": {"text": act(decision, run["history"])}}}
        yield {"event": "done"}
        return
    item = {
        "response_type": "forms",
        "sub_type": "tool_approval",
        "id": f"book-{run['run_id']}",  # a repeated request has the same run_id, so it asks the same question
        "name": "Book a berth",
        "tool": {"server": "Harbour office", "name": "book"},
        "json_schema": schema,
        "form_data": {"berth": "A4", "nights": 2},
    }
    yield {"event": "message.interrupt", "data": {"message": {"role": "assistant", "content": [item]}}}

def act(decision, history):
    asked = [item for message in history if message["role"] == "assistant" for item in message["content"]]
    question = next(item for item in asked if item.get("id") == decision["id"])
    if decision["form_operation"] != "submit":
        return "I booked nothing."
    wanted = decision.get("form_data", question["form_data"]).get("nights")  # the visitor can change it: check it
    if type(wanted) is not int or not 1 <= wanted <= 14:
        return "A berth can be booked for 1 to 14 nights."
    if decision["id"] not in booked:  # Retry sends the same decision again
        booked[decision["id"]] = f"Berth {question['form_data']['berth']} is booked for {wanted} nights."
    return booked[decision["id"]]

class Booking(Handler):
    answer = staticmethod(answer)

if __name__ == "__main__":
    serve(Booking)
