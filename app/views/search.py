from flask import Blueprint
blueprint = Blueprint("search", __name__)
@blueprint.get("/search")
def search():
    return ""
